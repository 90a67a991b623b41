import { holdsWords, tagTexts } from '#shared/send-history/search-words';
import { shorten } from '../shared/format.ts';
import type { Query } from '../shared/paging.ts';
import type { Send } from './outcomes.ts';

type Search = { readonly open: string } | { readonly filter: Query };

/** Clears what was searched for before. */
const none: Query = { search: undefined, to: undefined, tag: undefined };

/** Names that people know, by id. */
type Names = {
  readonly templates: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, string>;
};

export function searchOf(text: string | undefined, { templates, keys }: Names): Search {
  if (text === undefined) return { filter: none };
  if (/^snd_[a-z2-7]{56}$/.test(text)) return { open: text };
  const [, kind, value = ''] = /^(tag|template|key):\s*(.+)$/.exec(text) ?? [];
  const template = kind === 'template' ? idOf(value, templates, 'tpl_') : undefined;
  const key = kind === 'key' ? idOf(value, keys, 'key_') : undefined;
  if (template) return { filter: { ...none, template } };
  if (key) return { filter: { ...none, key } };
  if (kind === 'tag' && /^[\w-]+:[\w-]+$/.test(value)) return { filter: { ...none, tag: value } };
  return { filter: isWholeAddress(text) ? { ...none, to: text } : { ...none, search: text } };
}

/** A search finds emails only by whole ids. */
export const isPartOfId = (text = ''): boolean => /^(snd|fbk)_[a-z2-7]{0,55}$/.test(text);

/** The kind of thing whose name the text says, such as that of `key: shop`. */
export const namesIn = (text = ''): string | undefined => /^(template|key):/.exec(text)?.[1];

/** The parts of a text, and whether each is a word that was searched for. */
export function markedParts(text: string, search = ''): readonly MarkedPart[] {
  const words = search.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [{ text: shorten(text, 120), isMarked: false }];
  const either = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return shorten(text, 120)
    .split(new RegExp(`(${either})`, 'iu'))
    .map((part, place) => ({ text: part, isMarked: place % 2 === 1 }));
}
type MarkedPart = { readonly text: string; readonly isMarked: boolean };

function idOf(text: string, names: ReadonlyMap<string, string>, prefix: string) {
  if (text.startsWith(prefix)) return text;
  const isIt = (name: string) => name.toLowerCase() === text.toLowerCase();
  return [...names].find(([, name]) => isIt(name))?.[0];
}

/** SES's message ids end in a host, so they look like addresses. */
export const isWholeAddress = (text: string): boolean =>
  /^[^\s@<>]+@[^\s@<>.]+(\.[^\s@<>.]+)+$/.test(text) &&
  !/@(email|[a-z]{2}(-[a-z]+)+-\d)\.amazonses\.com$/.test(text);

/** The text for the search box, from the address's query. */
export const searchText = ({ search, to, tag }: Query): string =>
  search ?? to ?? (tag ? `tag:${tag}` : '');

/** The email that the text names, such as by an id from a log: the only one found, if its row doesn't show the text. */
export function namedBy(text: string | undefined, found: readonly Send[]): Send | undefined {
  const [send, ...others] = found;
  if (text === undefined || send === undefined || others.length > 0) return undefined;
  const { toEmail, to = [toEmail], cc, bcc, subject, tags, templateId, idempotencyKey } = send;
  const isShown = holdsWords(text)([subject, ...to, ...cc, ...bcc, ...tagTexts(tags)]);
  return idempotencyKey === text || !(isShown || templateId === text) ? send : undefined;
}
