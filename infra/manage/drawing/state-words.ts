import type { Colour, Paint } from '../terminal.ts';

/** The service's words for states and events that have a colour. */
const colours: ReadonlyMap<string, Colour> = new Map([
  ...of('green', 'sent', 'delivered', 'active', 'found', 'well'),
  ...of('yellow', 'sending', 'suppressed', 'pending', 'missing', 'failing'),
  ...of('red', 'failed', 'bounced', 'complained', 'wrong', 'paused', 'revoked', 'disabled'),
  ...of('cyan', 'opened', 'clicked'),
  ...of('dim', 'unknown'),
]);

function of(colour: Colour, ...words: readonly string[]): (readonly [string, Colour])[] {
  return words.map((word) => [word, colour]);
}

/** A state as it is shown. A word that this checkout does not know has no colour. */
export function paintState(word: string, paint: Paint): string {
  const colour = colours.get(word);
  return colour === undefined ? word : paint(colour, word);
}
