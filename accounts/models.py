"""Who you are: guests by name alone, and registered users."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A person. A guest has a name, an unusable password and a generated username."""

    name = models.CharField("shown name", max_length=20, blank=True)
    is_guest = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.name or self.username


class Token(models.Model):
    """A way back in for a program. The token itself was shown once and is not stored."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"token of {self.user}"
