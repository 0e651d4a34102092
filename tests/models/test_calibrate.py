"""Confidences are fitted to what was right."""

from __future__ import annotations

import numpy as np
import pytest

from models.calibrate import curve, expected_error, logistic, rising, temperature
from vision.confidence import KNOTS, sigmoid

RNG = np.random.default_rng(0)


def test_a_logistic_function_is_found_again() -> None:
    rows = np.column_stack([np.ones(4000), RNG.normal(0, 2, (4000, 2))]).astype(np.float32)
    true = np.array([-1.0, 1.5, 0.7], np.float32)
    right = RNG.random(4000) < sigmoid(rows @ true)
    assert logistic(rows, right, np.zeros(3, np.float32), 1e-4) == pytest.approx(true, abs=0.25)


def test_evidence_never_counts_against_a_reading() -> None:
    rows = np.column_stack([np.ones(500), RNG.normal(0, 1, (500, 2))]).astype(np.float32)
    right = RNG.random(500) < sigmoid(rows @ np.array([0, 1.0, -1.0]))
    weights = logistic(rows, right, np.zeros(3, np.float32), 1e-4)
    assert weights[1] > 0.5 and weights[2] == 0


def test_curves_rise_and_meet_the_shares() -> None:
    sums = RNG.uniform(-4, 7, 5000).astype(np.float32)
    right = RNG.random(5000) < 0.5 * sigmoid(sums)
    points = curve(sums, right)
    assert (np.diff(points) >= 0).all()
    assert points == pytest.approx(0.5 * sigmoid(KNOTS), abs=0.08)


def test_violators_are_pooled() -> None:
    assert rising(np.array([0, 1, 0, 1, 1], bool)).tolist() == [0, 0.5, 0.5, 1, 1]


def test_the_error_is_the_distance_of_confidence_and_share() -> None:
    sure = np.full(100, 0.9, np.float32)
    assert expected_error(sure, np.arange(100) < 90) == pytest.approx(0, abs=1e-6)
    assert expected_error(sure, np.arange(100) < 50) == pytest.approx(0.4, abs=1e-6)


def test_an_oversure_network_is_calmed() -> None:
    logits = RNG.normal(0, 1, (4000, 5))
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    truth = np.array([RNG.choice(5, p=row) for row in shares])
    told = np.exp(2 * logits)
    told = (told / told.sum(axis=1, keepdims=True)).astype(np.float32)
    assert temperature(told, truth.astype(np.intp)) == pytest.approx(2, abs=0.25)
