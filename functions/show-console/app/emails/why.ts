import { capitalized } from '../shared/format.ts';
import { othersIn, type Send } from './outcomes.ts';

/** Why an email didn't simply arrive, for its row in a list; `undefined` if there's nothing to say. */
export function whyOf(send: Send): string | undefined {
  const { code, why: words } = send.verdict;
  // A reply without a known status says more than that there is none.
  const why = code === 'unexplained' ? (send.cause?.diagnostic ?? words) : words;
  if (why === undefined) return undefined;
  // With several recipients, it names the one whose server said so.
  const who = send.cause?.email && othersIn(send) > 0 ? ` (${send.cause.email})` : '';
  return `${capitalized(why)}${who}`;
}
