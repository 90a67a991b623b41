import { exampleHash, exampleIds, exampleTime } from '#shared/tokens/example-values';

export const templateWords = {
  alias: 'Its name for programs: `template` of a send takes it as well as the ID.',
  kind: '`layout`: it is put around other templates, and isn’t sent on its own.',
  from: 'The sender of its emails, unless the send names one.',
  replyTo: 'Where replies to its emails go, unless the send says.',
  variables:
    'What it says of its variables, by name. A send without a `required` one is refused; a `fallback` prints where a send gives nothing. Others may be given too.',
  layout: 'The ID of the layout that is put around its bodies.',
  locales:
    'Its subject and bodies in other languages, by language tag. A send in `de-AT` takes `de-AT`, else `de`, else the template’s own.',
  draft: 'Whether sends go on taking the published version.',
  version: 'Counts its changes. `If-Match` takes it.',
  publishedVersion: 'The version that sends take. Absent until the first is published.',
  versions: 'What sends took before and may still name, the newest first: the last 20.',
  'versions.version': 'Its number: `templateVersion` of a send takes it.',
  'versions.publishedAt': 'When sends began to take it.',
  contentHash: 'A digest of all but the names: equal exactly when the content is.',
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
