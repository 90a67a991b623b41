const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** `ends in 6 d`, `ends in 5 h`, `ended` */
export function endsIn(at: number, now: number): string {
  const left = at - now;
  if (left <= 0) return 'ended';
  if (left >= dayMs) return `ends in ${Math.floor(left / dayMs)} d`;
  return left >= hourMs ? `ends in ${Math.floor(left / hourMs)} h` : 'ends within the hour';
}
