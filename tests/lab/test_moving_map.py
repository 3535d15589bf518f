"""The README's picture: up to date, small, and told to those who cannot see it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as xml

import moving_map
import pytest

from course_lib import data

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=["en", "zh"])
def language(request) -> str:
    return request.param


@pytest.fixture
def picture(course, language) -> str:
    return (course / f"docs/sense_map_{language}.svg").read_text(encoding="utf-8")


def test_it_was_made_from_the_model_and_sentences_that_ship(course, language, picture):
    made_from = re.search("made by make figures from ([0-9a-f]{12})", picture)[1]
    assert made_from == moving_map.inputs(course, language), "run `make figures`"


def test_there_is_a_point_for_every_sentence_and_layer_0_is_one_spot(language, picture):
    root = xml.fromstring(picture)
    points = [g for g in root.iter(f"{SVG}g") if g.get("class").startswith("p ")]
    word = {"en": "apple", "zh": "苹果"}[language]
    assert len(points) == sum(s.word == word for s in data.senses(language))
    first = {point.get("style").partition(";")[0] for point in points}
    last = {point.get("style").rpartition(";")[2] for point in points}
    assert len(first) == 1 and len(last) > len(points) / 2


def test_it_is_small_says_what_it_shows_and_can_stand_still(picture):
    assert len(picture) < 20_000
    assert len(xml.fromstring(picture).find(f"{SVG}title").text) > 40
    assert "prefers-reduced-motion" in picture and "prefers-color-scheme" in picture
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")
