import type { Route } from '../../../api.ts';
import type { GlyphName } from '../shared/glyphs.ts';
import { may } from '../shared/may.ts';
import { footPlaces, mayOpen, openGroups, settingsParts } from '../shared/places.ts';
import { holdsStarts } from './holds-starts.ts';

/** Something the palette leads to. */
export type Entry = {
  readonly group: 'Address' | 'Emails' | 'Do' | 'Go to';
  readonly address: string;
  readonly text: string;
  readonly glyph: GlyphName;
};

type Action = Omit<Entry, 'group'> & { readonly ask: Route };

const actions: readonly Action[] = [
  {
    text: 'Send a test…',
    address: '/console/emails?do=send',
    glyph: 'sent',
    ask: 'POST /api/v1/emails/send',
  },
  {
    text: 'Suppress an address…',
    address: '/console/suppressions?do=suppress',
    glyph: 'stop',
    ask: 'POST /api/v1/suppressions',
  },
  {
    text: 'Create an API key…',
    address: '/console/keys?do=create',
    glyph: 'key',
    ask: 'POST /api/v1/api-keys',
  },
  {
    text: 'Add a domain…',
    address: '/console/domains?do=add',
    glyph: 'globe',
    ask: 'POST /api/v1/domains',
  },
  {
    text: 'Add a webhook endpoint…',
    address: '/console/webhooks?do=add',
    glyph: 'hook',
    ask: 'POST /api/v1/webhooks',
  },
  {
    text: 'Write a template',
    address: '/console/templates/new',
    glyph: 'doc',
    ask: 'POST /api/v1/templates',
  },
  {
    text: 'Invite somebody',
    address: '/console/settings/people',
    glyph: 'people',
    ask: 'POST /api/v1/people',
  },
];

const docs: Entry = { group: 'Go to', text: 'Docs', address: '/docs', glyph: 'doc' };

/** Actions and pages whose words all begin as typed, of those that this session may open. */
export function entriesFor(text: string): readonly Entry[] {
  const pages = [...openGroups().flatMap(({ places }) => places), ...footPlaces()];
  const parts = settingsParts
    .slice(1)
    .filter(({ address }) => mayOpen(address))
    .map(
      ({ address, name }): Entry => ({
        group: 'Go to',
        text: `Settings: ${name}`,
        address,
        glyph: 'gear',
      }),
    );
  const all: readonly Entry[] = [
    ...actions
      .filter(({ ask, address }) => may(ask) && mayOpen(address))
      .map(({ ask: _, ...action }): Entry => ({ ...action, group: 'Do' })),
    ...pages.map(
      ([address, name, glyph]): Entry => ({
        group: 'Go to',
        text: name,
        address,
        glyph,
      }),
    ),
    ...(text ? parts : []),
    docs,
  ];
  return all.filter((entry) => holdsStarts(entry.text, text));
}
