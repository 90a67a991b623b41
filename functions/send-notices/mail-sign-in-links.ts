import { lastUsedFirst, maySignInByAddress } from '#shared/access/api-key';
import { type MailedLink, textOfMailedLink } from '#shared/access/mailed-link';
import {
  findDueMailedLinks,
  makeMailedLink,
  settleMailedLink,
  takeMailedLink,
} from '#shared/access/mailed-link-store';
import { personalKeysFor } from '#shared/access/operator-store';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { ServiceError } from '#shared/errors/service-error';
import { signInEmail } from '#shared/notices/people-notice';
import type { RequestLog } from '#shared/observability/request-log';
import { getOrganization } from '#shared/organizations/organization-store';
import { admitServiceEmail, type ServiceMailing } from '#shared/sending/admit-service-email';
import type { AdmittedEmail } from '#shared/sending/check-email';
import { sendNow } from '#shared/sending/send-once';
import type { Mailing } from '#shared/sending/sending';
import { isExpired } from '#shared/table/expiry';
import type { TableAndClock } from '#shared/table/table-client';
import { type ApiKeyId, organizationIdOf } from '#shared/tokens/resource-id';
import type { Keyring } from '#shared/tokens/signed-token';

type LinkMailing = Mailing & ServiceMailing & TableAndClock;

/** After this a run mails no more of them, whatever strangers ask for: notices wait, too. */
const mailingMs = 25_000;

/**
 * Mails the sign-in links that were asked for since the last run. What fails is tried in the next one, until the link
 * expires. A run that dies, or two at once, mail a link once: its text follows from its ID, and so does its email's
 * idempotency key.
 *
 * @throws the error of reading them
 */
export async function mailSignInLinks(mailing: LinkMailing, log: RequestLog): Promise<void> {
  const until = mailing.now() + mailingMs;
  const keyring = await mailing.keyring();
  const onUnread = (error: unknown) => log.error('sign-in link not read', error);
  for await (const links of findDueMailedLinks(mailing.table, onUnread)) {
    if (mailing.now() >= until) return;
    await Promise.all(links.map((link) => mailLink(link, { ...mailing, log }, keyring)));
  }
}

type Recipient = { readonly keyId: ApiKeyId; readonly email: AdmittedEmail };

async function mailLink(
  link: MailedLink,
  mailing: LinkMailing & { readonly log: RequestLog },
  keyring: Keyring,
): Promise<void> {
  const { table, now, log } = mailing;
  try {
    const recipient = isExpired(link, now())
      ? undefined
      : await findRecipient(link, mailing, keyring);
    if (recipient === undefined) {
      await takeMailedLink(table, link);
      return;
    }
    const { keyId, email } = recipient;
    const { secretHash } = textOfMailedLink(keyring, link);
    if (link.made === undefined) {
      const made = { ...link, made: { keyId, secretHash } };
      if (!(await makeMailedLink(table, made, now()))) return;
    }
    await sendNow({ endpoint: 'send', email, keyring, log }, now(), mailing);
    await settleMailedLink(table, link);
    log.info('sign-in link mailed', { organizationId: organizationIdOf(keyId) });
  } catch (error) {
    log.error('sign-in link not mailed', error);
  }
}

/**
 * The personal key that the link signs in with: of the organization where its person was last, of those that can send
 * an email. From there they switch to the others.
 *
 * @returns `undefined` if the address may not sign in
 * @throws ServiceError if none of their organizations can send an email
 */
async function findRecipient(
  link: MailedLink,
  mailing: LinkMailing,
  keyring: Keyring,
): Promise<Recipient | undefined> {
  const keys = await personalKeysFor(link.email, mailing);
  const able = keys.filter(
    (apiKey) =>
      maySignInByAddress(apiKey, mailing.now()) && (link.made?.keyId ?? apiKey.id) === apiKey.id,
  );
  let refusal: unknown;
  for (const apiKey of able.toSorted(lastUsedFirst)) {
    try {
      return { keyId: apiKey.id, email: await admitLink(link, apiKey.id, mailing, keyring) };
    } catch (error) {
      refusal = error;
    }
  }
  if (refusal !== undefined) throw refusal;
  return undefined;
}

async function admitLink(
  link: MailedLink,
  keyId: ApiKeyId,
  mailing: LinkMailing,
  keyring: Keyring,
): Promise<AdmittedEmail> {
  const organizationId = organizationIdOf(keyId);
  const organization = await getOrganization(mailing.table, organizationId);
  const to = parseEmailAddress(link.email);
  if (organization === undefined || !to.ok) {
    throw new ServiceError('no_active_identity', 'The organization is gone.');
  }
  const { text } = textOfMailedLink(keyring, link);
  const email = {
    to: to.value,
    ...signInEmail(organization.name, `${mailing.settings.baseUrl}/console/sign-in#${text}`),
    idempotencyKey: `service-sign-in:${link.id}`,
    mayComeFromDeployment: true,
  };
  return admitServiceEmail(organizationId, email, mailing);
}
