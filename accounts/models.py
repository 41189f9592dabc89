"""Who you are: guests by name alone, and registered users."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A person. A guest has a name, an unusable password and a generated username."""

    name = models.CharField("shown name", max_length=20, blank=True)
    is_guest = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.name or self.username
