// Figures as the program prints them: three significant digits and a unit.
function threeDigits(value) {
  const size = Math.abs(value);
  return value.toFixed(size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

function withUnit(value, step, units) {
  let unit = 0;
  while (Math.abs(value) >= step * 0.9995 && unit + 1 < units.length) {
    value /= step;
    ++unit;
  }
  return threeDigits(value) + " " + units[unit];
}

function bytesText(bytes) {
  return Math.abs(bytes) < 1024 ? Math.round(bytes) + " B"
    : withUnit(bytes / 1024, 1024, ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]);
}

function secondsText(seconds) {
  if (seconds === 0)
    return "0 s";
  return Math.abs(seconds) >= 0.9995 ? threeDigits(seconds) + " s" : withUnit(seconds * 1e9, 1000, ["ns", "us", "ms"]);
}

function flopsText(flops) {
  return flops === 0 ? "0 FLOP"
    : withUnit(flops, 1000, ["FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP"]);
}

function countText(count) {
  return count.toLocaleString("en-US");
}

function shareText(part, whole) {
  return whole > 0 ? (100 * part / whole).toFixed(1) + "%" : "0.0%";
}

// Even steps for an axis up to `most`, about `count` of them: 1, 2 or 5 times a power of `base`.
function axisSteps(most, count, base = 10) {
  const rough = most / Math.max(1, count);
  const power = base ** Math.floor(Math.log(rough) / Math.log(base));
  const factors = base === 10 ? [1, 2, 5, 10] : [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
  return power * (factors.find(factor => factor * power >= rough) ?? base);
}
