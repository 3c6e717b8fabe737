// Computes rates and their intervals from sums. `hanalyze.analysis.statistics.intervals`
// computes the same intervals, and gives the sources of the formulas.
"use strict";

const Z = 1.959963984540054;
const FEWEST_GAMES = 20;
const RARE = 3;

// Quantile of the normal distribution for p from 0.925 to 1 - 1e-11 (Wichura 1988, algorithm AS 241).
function normalAt(p) {
  const above = [0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684,
    3.6478483247632045, 5.769497221460691, 4.630337846156546, 1.4234371107496835];
  const below = [1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008,
    0.6897673349851, 1.6763848301838038, 2.053191626637759, 1];
  const r = Math.sqrt(-Math.log(1 - p)) - 1.6;
  const of = (list) => list.reduce((sum, value) => sum * r + value, 0);
  return of(above) / of(below);
}

// Student's 97.5% quantile by degrees of freedom; beyond the list from Python, an approximation.
function student(freedom) {
  if (freedom <= DATA.student.length) return DATA.student[freedom - 1];
  const [x, y] = [Z, Z * Z];
  const terms = [y + 1, (5 * y + 16) * y + 3, ((3 * y + 19) * y + 17) * y - 15,
    (((79 * y + 776) * y + 1482) * y - 1920) * y - 945];
  const divisors = [4, 96, 384, 92160];
  return terms.reduce((sum, term, i) => sum + (x * term) / divisors[i] / freedom ** (i + 1), x);
}

// Student's quantile with the same tail as a normal quantile; freedom 0: normal.
function studentOf(z, freedom) {
  if (!freedom) return z;
  return Math.sqrt(freedom * Math.expm1(((z * (8 * freedom + 3)) / (8 * freedom + 1)) ** 2 / freedom));
}

function wilson(x, y) {
  if (!y) return [0, 1];
  const z2 = Z * Z;
  const middle = (x + z2 / 2) / (y + z2);
  const half = Math.sqrt(z2 * ((x * (y - x)) / y + z2 / 4)) / (y + z2);
  return [x === 0 ? 0 : middle - half, x === y ? 1 : middle + half];
}

// Wilson's interval for x of y, both multiplied by `weight`. With at most `RARE` finds, the low end is that of half a
// find less; with at most `RARE` others, the high end is that of half a find more.
function modifiedWilson(weight, x, y) {
  const [found, of] = [Math.min(x * weight, y * weight), y * weight];
  const [low, high] = wilson(found, of);
  const others = of - found;
  return [found <= RARE ? wilson(found - Math.min(found, 1) / 2, of)[0] : low,
    others <= RARE ? wilson(found + Math.min(others, 1) / 2, of)[1] : high];
}

const SUMS = ["n", "x", "y", "xx", "xy", "yy"];
const combined = (one, other, sign) => {
  const result = { ...one };
  for (const name of SUMS) result[name] += sign * other[name];
  return result;
};
const plus = (one, other) => combined(one, other, 1);
const less = (one, other) => combined(one, other, -1);

// The variance of x / y over games; NaN for fewer than two games or if y is 0.
function variance({ n, x, y, xx, xy, yy }) {
  if (n < 2 || !y) return NaN;
  const rate = x / y;
  return (Math.max(0, xx - 2 * rate * xy + rate * rate * yy) * n) / (n - 1) / (y * y);
}

// The interval of a share, by Wilson's method with the effective number of opportunities. Null for a single game with
// several opportunities.
function shareOfSums(sums) {
  const { n, y } = sums;
  const x = Math.min(sums.x, y);
  if (n === y) return modifiedWilson(1, x, y);
  if (n < 2) return null;
  const few = Math.min(student(Math.max(Math.round(y) - 1, 1)) / student(Math.round(n) - 1), 1);
  const independent = ((x / y) * (1 - x / y)) / (y - 1);
  const design = independent > 0 ? Math.max(variance(sums) / independent, 1) : 1;
  return modifiedWilson((few * few) / design, x, y);
}

// The interval of a mean that is never below 0: a score interval with the linearised variance. Null for fewer than
// `FEWEST_GAMES` games or without variation.
function meanOfSums(sums) {
  const value = sums.x / sums.y;
  const error = sums.n >= FEWEST_GAMES ? Math.sqrt(variance(sums)) : 0;
  if (!(error > 1e-9 * Math.max(Math.abs(value), 1e-9))) return null;
  const one = (error * error) / value;
  const more = (student(Math.round(sums.n) - 1) ** 2 * one) / 2;
  const fewer = one < value * (1 - 1e-9) ? value - one : 0; // one nonzero game: the difference is rounding
  return [fewer + more - Math.sqrt(more * more + 2 * more * fewer),
    value + more + Math.sqrt(more * more + 2 * more * value)];
}

// x / y and its interval; the ends are null without an interval.
function estimate(sums, share) {
  const ends = share ? shareOfSums(sums) : meanOfSums(sums);
  const [low, high] = ends ?? [null, null];
  return [sums.x / sums.y, low, high];
}

// A quantile of counts in bins of equal width, by linear interpolation within a bin.
function quantile(bins, n, level, width) {
  const wanted = Math.min(Math.max(level, 0), 1) * n;
  let before = 0;
  for (let i = 0; i < bins.length; i++) {
    if (bins[i] && before + bins[i] >= wanted) return (i + (wanted - before) / bins[i]) * width;
    before += bins[i];
  }
  return bins.length * width;
}
