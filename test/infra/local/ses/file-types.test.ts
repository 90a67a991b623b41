import { expect, it } from 'vitest';
import { withFileTypes } from '../../../../infra/local/ses/file-types.ts';

const sending = (...Attachments: readonly object[]) => ({
  FromEmailAddress: 'hello@mail.example.com',
  Content: { Simple: { Subject: { Data: 'Hi' }, Attachments } },
});

it('sets the type of a file without one by its extension, as SES does', () => {
  const typed = { FileName: 'a.pdf', ContentType: 'text/plain', RawContent: 'aGk=' };

  const request = withFileTypes(
    sending(
      { FileName: 'invoice.PDF', RawContent: 'aGk=' },
      { FileName: 'logo.png', ContentId: 'logo' },
      { FileName: 'data.unheard-of' },
      typed,
    ),
  );

  expect(request).toEqual(
    sending(
      { FileName: 'invoice.PDF', RawContent: 'aGk=', ContentType: 'application/pdf' },
      { FileName: 'logo.png', ContentId: 'logo', ContentType: 'image/png' },
      { FileName: 'data.unheard-of', ContentType: 'application/octet-stream' },
      typed,
    ),
  );
});

it.each([
  sending(),
  sending({ FileName: 'a.txt', ContentType: 'text/plain' }),
  { Content: { Raw: { Data: 'aGk=' } } },
  undefined,
])('leaves %j unchanged', (request) => {
  expect(withFileTypes(request)).toBe(request);
});
