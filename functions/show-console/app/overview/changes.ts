const signed = (value: number, digits = 1): string =>
  `${value < 0 ? '−' : '+'}${Math.abs(value).toLocaleString(undefined, { maximumFractionDigits: digits })}`;

/** How much a figure has changed: `+4.1 %`. From nothing there’s no such change. */
export function changeOf(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  return now === before ? 'unchanged' : `${signed((100 * (now - before)) / before)} %`;
}

/** How much a percentage has changed, in points: `−7.8`, to two digits where one shows none. */
export function pointsOf(now: number, before: number): string | undefined {
  const change = Math.round(100 * (now - before)) / 100;
  if (change === 0) return undefined;
  return signed(change, Math.abs(change) < 0.1 ? 2 : 1);
}
