import { keyringReader } from '#shared/tokens/keyring';
import { feedbackIdOf, type SendId } from '#shared/tokens/resource-id';
import { signOpenToken } from '#shared/tracking/tracking-token';
import { secretIds } from '../../infra/local/environment.ts';
import { buildSesEvent, buildSesMail, type SesEventType } from '../support/ses-event-builder.ts';
import { typicalEmail } from './typical-send.ts';

/** A send that was made, and the message that SES accepted for it. */
type Sent = { readonly sendId: SendId; readonly messageId: string };

/** Has the twin of this process record an event of the send's message. */
export const reportEvent = (baseUrl: string, type: SesEventType, sent: Sent): Promise<void> =>
  postEvent(baseUrl, buildSesEvent(type, { mail: mailOf(sent) }));

/** Has it record that the message bounced for good. */
export function reportBounce(baseUrl: string, sent: Sent, emailAddress: string): Promise<void> {
  const bounce = {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [{ emailAddress }],
    timestamp: new Date().toISOString(),
  };
  return postEvent(baseUrl, buildSesEvent('Bounce', { mail: mailOf(sent), bounce }));
}

const mailOf = ({ sendId, messageId }: Sent) =>
  buildSesMail({
    messageId,
    destination: [typicalEmail.to],
    tags: { 'feedback-id': [feedbackIdOf(sendId)] },
  });

const postEvent = (baseUrl: string, event: object): Promise<void> =>
  expectOk(
    fetch(`${baseUrl}/_local/provider-events`, { method: 'POST', body: JSON.stringify(event) }),
  );

/** Fetches the pixel of the send's email from the twin of this process, as a person's mail client does. */
export async function openEmail(baseUrl: string, { sendId }: Sent): Promise<void> {
  const keyring = await keyringReader(secretIds.tokenSigningKey)();
  const token = signOpenToken(keyring, feedbackIdOf(sendId));
  const headers = { 'user-agent': 'Mozilla/5.0 Firefox/130.0' };
  await expectOk(fetch(`${baseUrl}/t/o/${token}`, { headers }));
}

async function expectOk(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
}
