import mime from 'mime';
import * as z from 'zod';

const file = z.looseObject({ FileName: z.string(), ContentType: z.string().optional() });
const emailWithFiles = z.looseObject({
  Content: z.looseObject({ Simple: z.looseObject({ Attachments: z.array(file) }) }),
});

/**
 * SES derives the type of a file without one from its extension (SES guide, "Working with email attachments in SES").
 *
 * @returns the same request if no file needs one.
 */
export function withFileTypes(request: unknown): unknown {
  const { data: email } = emailWithFiles.safeParse(request);
  if (email === undefined) return request;
  const { Simple } = email.Content;
  if (Simple.Attachments.every(({ ContentType }) => ContentType !== undefined)) return request;
  const Attachments = Simple.Attachments.map((one) => ({
    ...one,
    ContentType: one.ContentType ?? mime.getType(one.FileName) ?? 'application/octet-stream',
  }));
  return { ...email, Content: { ...email.Content, Simple: { ...Simple, Attachments } } };
}
