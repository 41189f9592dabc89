"""Numbers that are given out one after the other."""

from django.db import models


class Counter(models.Model):
    """The last number given out under a name. Lock its row to give out the next one."""

    name = models.CharField(max_length=20, unique=True)
    value = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.name}: {self.value}"
