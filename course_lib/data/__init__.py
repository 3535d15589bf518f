"""The catalogue of corpora and task sets, and the sense sentences."""

from course_lib.data.catalogue import available, best, load
from course_lib.data.files import DamagedData, DataNotAtHand
from course_lib.data.senses import SenseSentence, sense_name, senses

__all__ = [
    "DamagedData",
    "DataNotAtHand",
    "SenseSentence",
    "available",
    "best",
    "load",
    "sense_name",
    "senses",
]
