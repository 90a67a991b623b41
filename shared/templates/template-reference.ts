import { exampleHash, exampleIds, exampleTime } from '#shared/tokens/example-values';

export const templateWords = {
  alias: 'Its name for programs: `template` of a send takes it as well as the ID.',
  kind: '`layout`: it wraps other templates and isn’t sent by itself.',
  from: 'The sender of its emails, unless the send sets one.',
  replyTo: 'Where replies to its emails go, unless the send sets it.',
  variables:
    'Its declared variables, by name. A send without a `required` one is refused; a `fallback` prints if a send gives nothing. Sends may give others too.',
  layout: 'The ID of the layout that wraps its bodies.',
  locales:
    'Its subject and bodies in other languages, by language tag. A send in `de-AT` uses `de-AT`, else `de`, else the template’s own.',
  draft: 'Whether sends keep using the published version.',
  version: 'Counts its changes. `If-Match` takes it.',
  publishedVersion: 'The version that sends use. Absent until the first is published.',
  versions: 'The last 20 versions sends used before and may still name, newest first.',
  'versions.version': 'Its number: `templateVersion` of a send takes it.',
  'versions.publishedAt': 'When sends started using it.',
  contentHash: 'A digest of everything but the names. Equal digests mean equal content.',
} as const;

export const exampleTemplate = {
  id: exampleIds.template,
  name: 'receipt',
  subject: 'Receipt {{order.id}}',
  content: 'Hello {{name}}',
  version: 1,
  publishedVersion: 1,
  versions: [],
  contentHash: exampleHash,
  createdAt: exampleTime,
  updatedAt: exampleTime,
} as const;

export const exampleChangedTemplate = {
  ...exampleTemplate,
  subject: 'Your receipt {{order.id}}',
  version: 2,
  publishedVersion: 2,
  versions: [{ version: 1, publishedAt: exampleTime }],
  updatedAt: exampleTime + 60_000,
} as const;
