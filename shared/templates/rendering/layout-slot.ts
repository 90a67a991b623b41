import { tagsIn } from './template-tags.ts';

/** A layout's name for the email in it. */
export const slotName = 'content';

/** One slot, printed once, so an email is no longer than it and its layout together. */
export function slotFault(body: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  let depth = 0;
  let slots = 0;
  for (const { symbol, name } of tagsIn(body)) {
    if (symbol === '#' || symbol === '^') depth += 1;
    if (symbol === '/') depth -= 1;
    if (name !== slotName || symbol === '!') continue;
    if (depth > 0 || (symbol !== '{' && symbol !== '&')) {
      return 'the slot is {{{content}}}, with three braces and in no section';
    }
    slots += 1;
  }
  return slots === 1 ? undefined : 'a layout has {{{content}}} once, where the email goes';
}
