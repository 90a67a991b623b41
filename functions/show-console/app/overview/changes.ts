const signed = (value: number): string =>
  `${value < 0 ? '−' : '+'}${Math.abs(value).toLocaleString(undefined, { maximumFractionDigits: 1 })}`;

/** How much a figure has changed: `+4.1 %`. From nothing there’s no such change. */
export function changeOf(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  return now === before ? 'unchanged' : `${signed((100 * (now - before)) / before)} %`;
}

/** How much a percentage has changed, in points: `−7.8`, to two digits where one shows none. */
export function pointsOf(now: number, before: number): string | undefined {
  const change = Math.round(100 * (now - before)) / 100;
  if (change === 0) return undefined;
  const digits = Math.abs(change) < 0.1 ? 2 : 1;
  const text = Math.abs(change).toLocaleString(undefined, { maximumFractionDigits: digits });
  return `${change < 0 ? '−' : '+'}${text}`;
}
