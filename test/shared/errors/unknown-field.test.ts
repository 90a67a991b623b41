import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldNamesAt } from '#shared/errors/field-names';
import { otherNames, unknownFieldMessage } from '#shared/errors/unknown-field';
import { sendBodySchema } from '#shared/sending/request/send-request';

const sendFields = fieldNamesAt(sendBodySchema, []);
const attachmentFields = fieldNamesAt(sendBodySchema, ['attachments', 0]);

const meant = (message: string) => sendFields.filter((field) => message.endsWith(` ${field}`));

describe('the advice on an unknown field of a send', () => {
  it.each([
    // Resend
    ['html', 'htmlContent'],
    ['text', 'content'],
    ['react', 'htmlContent'],
    ['topic_id', 'policyKey'],
    ['reply_to', 'replyTo'],
    ['scheduled_at', 'sendAt'],
    // Postmark
    ['To', 'to'],
    ['Cc', 'cc'],
    ['Subject', 'subject'],
    ['TextBody', 'content'],
    ['HtmlBody', 'htmlContent'],
    ['Attachments', 'attachments'],
    ['MessageStream', 'policyKey'],
    ['TemplateAlias', 'template'],
    ['ReplyTo', 'replyTo'],
    ['Tag', 'tags'],
    // SES
    ['Destination', 'to'],
    ['BccAddresses', 'bcc'],
    ['TemplateName', 'template'],
    ['FromEmailAddress', 'from'],
    ['ReplyToAddresses', 'replyTo'],
    ['EmailTags', 'tags'],
    ['ListManagementOptions', 'policyKey'],
    // guesses
    ['html_content', 'htmlContent'],
    ['body', 'content'],
    ['policykey', 'policyKey'],
  ])('%s is to use %s', (name, field) => {
    expect(unknownFieldMessage(name, sendFields)).toBe(`unknown field: use ${field}`);
  });

  it.each(['idempotency_key', 'Idempotency-Key', 'idempotencykey'])(
    '%s names the field and the header',
    (name) => {
      const advice = 'unknown field: use idempotencyKey, or the header Idempotency-Key';

      expect(unknownFieldMessage(name, sendFields)).toBe(advice);
    },
  );

  it.each([
    ['attachment', 'attachments'],
    ['sbuject', 'subject'],
    ['contnet', 'content'],
    ['htmlContents', 'htmlContent'],
    ['bccc', 'bcc'],
  ])('%s asks whether %s was meant', (name, field) => {
    expect(unknownFieldMessage(name, sendFields)).toBe(`unknown field: did you mean ${field}?`);
  });

  it.each([
    ['ConfigurationSetName', 'this is not supported'],
    ['TrackOpens', 'use tracking, with opens and clicks'],
  ])('%s says what is so instead', (name, advice) => {
    expect(unknownFieldMessage(name, sendFields)).toContain(advice);
  });

  it('that is like none lists the fields there are', () => {
    expect(unknownFieldMessage('zzz', sendFields)).toBe(
      `unknown field: leave it out, or use one of ${sendFields.slice(0, 16).join(', ')}`,
    );
  });
});

describe('the advice on an unknown field of an attachment', () => {
  it.each([
    ['content', 'use contentBase64'],
    ['RawContent', 'use contentBase64'],
    ['Name', 'use filename'],
    ['content_type', 'use contentType'],
    ['content_id', 'use contentId'],
    ['cid', 'use contentId'],
    ['path', 'use url'],
    [
      'disposition',
      'give a contentId to show it inside the HTML; without one it is a file beside the text',
    ],
  ])('%s: %s', (name, advice) => {
    expect(unknownFieldMessage(name, attachmentFields)).toBe(`unknown field: ${advice}`);
  });
});

describe('any advice', () => {
  it('names a field of the request, whatever the name', () => {
    const known = fc.uniqueArray(fc.constantFrom(...otherNames.map(([field]) => field)));

    fc.assert(
      fc.property(fc.string(), known, (name, fields) => {
        const [, field] =
          /(?:use|mean) ([a-zA-Z0-9]+)[?,]?$/.exec(unknownFieldMessage(name, fields)) ?? [];

        return field === undefined || fields.includes(field);
      }),
    );
  });

  it('finds a field by its letters alone, and after one slip of the finger', () => {
    const slips = fc
      .tuple(fc.constantFrom('subject', 'policyKey', 'attachments'), fc.nat())
      .map(([field, seed]) => {
        const at = 1 + (seed % (field.length - 2));
        const [before, after] = [field.slice(0, at), field.slice(at)];
        const swapped = `${after[1]}${after[0]}${after.slice(2)}`;
        return { field, typed: [before + after.slice(1), `${before}q${after}`, before + swapped] };
      });

    fc.assert(
      fc.property(slips, ({ field, typed }) => {
        for (const name of typed) {
          const message = unknownFieldMessage(name, sendFields);
          expect(message.replace('?', ''), name).toMatch(new RegExp(` ${field}$`));
        }
        expect(meant(unknownFieldMessage(`_${field.toUpperCase()}-`, sendFields))).toEqual([field]);
      }),
    );
  });

  it('repeats nothing of the name, and stays short for a name of a megabyte', () => {
    const secret = 'ann@example.com';

    expect(unknownFieldMessage(secret, sendFields)).not.toContain(secret);
    expect(unknownFieldMessage('x'.repeat(1_000_000), sendFields).length).toBeLessThan(300);
  });
});

it('lists sixteen fields at most', () => {
  const known = Array.from({ length: 17 }, (_, index) =>
    `${String.fromCharCode(97 + index)}`.repeat(9),
  );

  expect(unknownFieldMessage('0', known)).toBe(
    `unknown field: leave it out, or use one of ${known.slice(0, 16).join(', ')}`,
  );
});
