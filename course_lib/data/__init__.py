"""The catalogue of corpora and task sets, and the sense sentences."""

from course_lib.data.catalogue import Corpus, TaskSet, at_hand, available, best, load
from course_lib.data.files import DamagedData, DataNotAtHand
from course_lib.data.senses import sense_name, senses
from course_lib.text.examples import SenseSentence

__all__ = [
    "Corpus",
    "DamagedData",
    "DataNotAtHand",
    "SenseSentence",
    "TaskSet",
    "at_hand",
    "available",
    "best",
    "load",
    "sense_name",
    "senses",
]
