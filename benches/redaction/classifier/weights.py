"""Writes the weights of the token classifier as whole numbers, in the layout that `classifier/weights.rs` reads."""
import numpy as np

import network
import screen

STATE = 256  # one, in the fixed point of states and scores


def rounded(values):
    """Values as bytes, and the value of one."""
    step = max(np.abs(values).max(), 1e-6) / 127
    return np.round(values / step).clip(-127, 127).astype(np.int8), step


def layer(values, bias):
    """A layer with inputs in the first dimension: bytes by output, a factor for each output, and the bias."""
    values = values.reshape(-1, values.shape[-1]).T
    steps = np.maximum(np.abs(values).max(1), 1e-6) / 127
    whole = np.round(values / steps[:, None]).clip(-127, 127).astype(np.int8)
    factors = np.round(steps * 2**20).astype("<i4")
    return whole.tobytes() + factors.tobytes() + np.round(bias * STATE).astype("<i4").tobytes()


def screen_bytes(parameters, vectors, order):
    """The numbers of the screen: the steps of one, the biases, and a byte for each row, place and judgement."""
    words = np.array(screen.table(parameters, vectors))
    words = np.concatenate([words[:1], words[1:][order]])
    rows = np.concatenate([words] + [parameters[name] for name in ("kind", "digits", "case")])
    limit = np.quantile(np.abs(rows), 0.9999)
    table, step = rounded(rows.clip(-limit, limit).reshape(len(rows), -1))
    return np.round(np.append(1, parameters["bias"]) / step).astype("<i4").tobytes() + table.tobytes()


def write(path, parameters, screen_parameters, hashes, vectors):
    """Writes the file."""
    words = vectors[1:] @ parameters["project"] @ parameters["project_in"]
    own = parameters["own"][1:] @ parameters["own_in"]
    words[:len(own)] += own
    grams = parameters["grams"][1:] @ parameters["grams_in"]
    small = np.concatenate([parameters[name] for name in ("kind", "digits", "case", "current")])
    limit = np.quantile(np.abs(words), 0.9999)
    table, step = rounded(np.concatenate([words.clip(-limit, limit), grams, small]))
    order = np.argsort(hashes)
    words, rest = table[:len(words)][order], table[len(words):]
    screened = screen_bytes(screen_parameters, vectors, order)
    with open(path, "wb") as file:
        file.write(np.array([len(hashes), round(step * 2**24)], "<u4").tobytes())
        file.write(hashes[order].astype("<u4").tobytes() + words.tobytes() + rest.tobytes())
        for at in range(len(network.DILATIONS)):
            file.write(layer(parameters[f"layer{at}"], parameters[f"bias{at}"]))
        file.write(layer(parameters["hidden"], parameters["hidden_bias"]))
        file.write(layer(parameters["out"], parameters["out_bias"]))
        file.write(screened)
