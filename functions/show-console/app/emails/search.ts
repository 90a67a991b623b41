import type { Query } from '../shared/paging.ts';

/** What someone typed into the search box means: an email to open, or a filter. */
export type Search = { readonly open: string } | { readonly filter: Query };

const filterNames = ['tag', 'template', 'key'] as const;

/** Nothing that's searched for stays. */
const none: Query = { q: undefined, to: undefined, tag: undefined };

export function searchOf(text: string | undefined): Search {
  if (text === undefined) return { filter: none };
  if (/^snd_[a-z2-7]+$/.test(text)) return { open: text };
  const [, name, value] = /^(tag|template|key):\s*(\S+)$/.exec(text) ?? [];
  const known = filterNames.find((one) => one === name);
  if (known) return { filter: { ...none, [known]: value } };
  return { filter: text.includes('@') ? { ...none, to: text } : { ...none, q: text } };
}

/** The same for the box: what of the address was typed there. */
export const searchText = ({ q, to, tag }: Query): string => q ?? to ?? (tag ? `tag:${tag}` : '');
