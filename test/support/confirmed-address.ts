import { vi } from 'vitest';
import { readInbox } from './mailbox-inbox.ts';
import { patience } from './patience.ts';

/** The links that ask an address whether it wants notices, in the order in which they were mailed. */
export async function confirmationLinks(inboxUrl: string, address: string): Promise<string[]> {
  const emails = await readInbox(inboxUrl);
  return emails
    .filter(({ destination }) => destination.to.includes(address))
    .flatMap(
      ({ body }) => /https?:\S+\/notices\/confirmation\?token=\S+/.exec(body.text ?? '') ?? [],
    );
}

/** Waits for the link that is mailed to an address, and presses the button of its page. */
export async function confirmFromInbox(inboxUrl: string, address: string): Promise<void> {
  const link = await vi.waitUntil(
    async () => (await confirmationLinks(inboxUrl, address)).at(-1),
    patience,
  );
  const { status } = await fetch(link, { method: 'POST', headers: { accept: 'text/html' } });
  if (status !== 200) throw new Error(`The confirmation answered ${status}`);
}
