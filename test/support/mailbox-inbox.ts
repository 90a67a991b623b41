import * as z from 'zod';

const storeSchema = z.object({
  emails: z.array(
    z.object({
      messageId: z.string(),
      from: z.string(),
      replyTo: z.array(z.string()).default([]),
      destination: z.object({
        to: z.array(z.string()),
        cc: z.array(z.string()),
        bcc: z.array(z.string()),
      }),
      subject: z.string(),
      body: z.object({ text: z.string().optional(), html: z.string().optional() }),
      headers: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
      attachments: z
        .array(
          z.object({
            filename: z.string(),
            content: z.base64(),
            contentType: z.string(),
            contentId: z.string().optional(),
          }),
        )
        .default([]),
    }),
  ),
});

/** An email that the mailbox took. */
export type ReceivedEmail = z.output<typeof storeSchema>['emails'][number];

/** What the mailbox took so far, in the order of arrival. */
export async function readInbox(mailboxUrl: string): Promise<readonly ReceivedEmail[]> {
  const response = await fetch(`${mailboxUrl}/store`);
  return storeSchema.parse(await response.json()).emails;
}

export async function clearInbox(mailboxUrl: string): Promise<void> {
  await fetch(`${mailboxUrl}/clear-store`, { method: 'POST' });
}
