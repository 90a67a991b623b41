import { expect, it } from 'vitest';
import {
  copyNameOf,
  resendTemplateChangeSchema,
  toTemplateChanges,
} from '#shared/resend/templates';
import { templateFields } from '#shared/templates/template-fields';

it.each([
  ['Receipt', 1, 'Receipt (copy)'],
  ['Receipt', 2, 'Receipt (copy 2)'],
  ['x'.repeat(100), 1, `${'x'.repeat(93)} (copy)`],
  [`${'x'.repeat(92)}😀`, 1, `${'x'.repeat(92)} (copy)`],
])('a copy of %j has a name that may be stored', (name, copy, copyName) => {
  expect(copyNameOf(name, copy)).toBe(copyName);
  expect(templateFields.name.parse(copyName)).toBe(copyName);
});

const changes = (body: object) => toTemplateChanges(resendTemplateChangeSchema.parse(body), {});

it.each([
  ['name', 'Receipt', { name: 'Receipt' }, {}],
  ['html', '<p>Hi</p>', { htmlContent: '<p>Hi</p>' }, {}],
  ['subject', 'Thanks', { subject: 'Thanks' }, { subject: '' }],
  ['alias', 'receipt', { alias: 'receipt' }, { alias: null }],
  ['from', 'hello@example.com', { from: 'hello@example.com' }, { from: null }],
  ['reply_to', 'help@example.com', { replyTo: ['help@example.com'] }, { replyTo: null }],
  ['text', 'Hi', { content: 'Hi' }, { content: null }],
])(
  'a change of a template’s %s to %j changes nothing else, and null clears it if it is optional',
  (field, value, changed, removed) => {
    expect(changes({ [field]: value })).toEqual(changed);
    expect(changes({ [field]: null })).toEqual(removed);
  },
);

it('an empty change of a template changes nothing', () => {
  expect(changes({})).toEqual({});
});
