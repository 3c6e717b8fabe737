// From sums to rates and their intervals. Its twin is rates.py, which says where the formulas come from.
"use strict";

const Z = 1.959963984540054;

// Quantile of the normal distribution (Acklam's rational approximation, error below 2e-9 relative).
function normalAt(p) {
  const a = [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
    2.506628277459239];
  const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1];
  const c = [-0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783];
  const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1];
  const of = (list, x) => list.reduce((sum, value) => sum * x + value, 0);
  if (p > 0.97575) {
    const q = Math.sqrt(-2 * Math.log(1 - p));
    return -of(c, q) / of(d, q);
  }
  const q = p - 0.5;
  return (of(a, q * q) * q) / of(b, q * q);
}

function wilson(x, y) {
  if (!y) return [0, 1];
  const z2 = Z * Z;
  const middle = (x + z2 / 2) / (y + z2);
  const half = Math.sqrt(z2 * ((x * (y - x)) / y + z2 / 4)) / (y + z2);
  return [x === 0 ? 0 : middle - half, x === y ? 1 : middle + half];
}

const SUMS = ["n", "x", "y", "xx", "xy", "yy"];
const combined = (one, other, sign) => {
  const result = { ...one };
  for (const name of SUMS) result[name] += sign * other[name];
  return result;
};
const plus = (one, other) => combined(one, other, 1);
const less = (one, other) => combined(one, other, -1);

// The variance of x / y over games; NaN below two games.
function variance({ n, x, y, xx, xy, yy }) {
  if (n < 2 || !y) return NaN;
  const rate = x / y;
  return (Math.max(0, xx - 2 * rate * xy + rate * rate * yy) * n) / (n - 1) / (y * y);
}

// x / y and its interval, null where nothing is known of it.
function estimate(sums, share, byWilson) {
  const value = sums.x / sums.y;
  const error = Math.sqrt(variance(sums)) || 0;
  if (byWilson || (share && !(error > 1e-9 * Math.max(value, 1e-9)))) {
    return [value, ...wilson(Math.min(sums.x, sums.y), sums.y)];
  }
  if (!error) return [value, null, null];
  const high = value + Z * error;
  return [value, Math.max(0, value - Z * error), share ? Math.min(1, high) : high];
}

// A quantile of what is counted in bins of a width, by linear interpolation within a bin.
function quantile(bins, n, level, width) {
  const wanted = Math.min(Math.max(level, 0), 1) * n;
  let before = 0;
  for (let i = 0; i < bins.length; i++) {
    if (bins[i] && before + bins[i] >= wanted) return (i + (wanted - before) / bins[i]) * width;
    before += bins[i];
  }
  return bins.length * width;
}
