import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { LocalDns } from '../dns/records.ts';
import { done, notFound, refusal, type SesAnswer, type SesCall, type SesState } from './state.ts';

const createRequest = z.object({
  EmailIdentity: z.string(),
  Tags: z.array(z.object({ Key: z.string(), Value: z.string() })).default([]),
});
const feedbackRequest = z.object({ EmailForwardingEnabled: z.boolean() });
const tagRequest = z.object({
  ResourceArn: z.string(),
  Tags: z.array(z.object({ Key: z.string(), Value: z.string() })),
});
const mailFromRequest = z.object({ MailFromDomain: z.string() });

export function answerIdentityCall(
  { method, path, body }: SesCall,
  state: SesState,
  dns: LocalDns,
): SesAnswer | undefined {
  if (method === 'GET' && path === '/account') return { status: 200, json: state.account };
  if (method === 'POST' && path === '/identities') return create(body, state, dns);
  if (method === 'POST' && path === '/tags') return tag(body, state);
  if (method === 'DELETE' && path.startsWith('/tags?')) return untag(path, state);
  const [, domain = '', aspect] =
    /^\/identities\/([^/]+)(\/mail-from|\/feedback)?$/.exec(path) ?? [];
  if (domain === '') return undefined;
  const identity = state.identities[domain];
  if (identity === undefined) return noIdentity(domain);
  if (method === 'GET') return { status: 200, json: shownOf(domain, state, dns) };
  if (method === 'PUT' && aspect === '/feedback') {
    identity.forwarding = feedbackRequest.parse(body).EmailForwardingEnabled;
    return done;
  }
  if (method === 'PUT' && aspect !== undefined) {
    identity.mailFromDomain = mailFromRequest.parse(body).MailFromDomain;
    return done;
  }
  if (method !== 'DELETE') return undefined;
  const owner = Object.entries(state.tenants).find(([, { resources }]) =>
    resources.some((arn) => arn.endsWith(`:identity/${domain}`)),
  );
  if (owner !== undefined) {
    const message = `The identity is associated with the tenant ${owner[0]}.`;
    return refusal(400, 'BadRequestException', message);
  }
  delete state.identities[domain];
  return done;
}

function create(body: unknown, state: SesState, dns: LocalDns): SesAnswer {
  const { EmailIdentity: domain, Tags: tags } = createRequest.parse(body);
  if (state.identities[domain] !== undefined) {
    return refusal(400, 'AlreadyExistsException', `Email identity ${domain} already exist.`);
  }
  if (domain.endsWith('.invalid')) {
    return refusal(400, 'BadRequestException', `Invalid domain name ${domain}.`);
  }
  const newToken = () => randomBytes(16).toString('hex');
  const tokens = [newToken(), newToken(), newToken()];
  state.identities[domain] = { tokens, tags, forwarding: true };
  return { status: 200, json: shownOf(domain, state, dns) };
}

function tag(body: unknown, state: SesState): SesAnswer {
  const { ResourceArn: arn, Tags: added } = tagRequest.parse(body);
  const domain = arn.split(':identity/')[1] ?? '';
  const identity = state.identities[domain];
  if (identity === undefined) return noIdentity(domain);
  const isReplaced = ({ Key }: { Key: string }) => added.some((one) => one.Key === Key);
  identity.tags = [...identity.tags.filter((one) => !isReplaced(one)), ...added];
  return done;
}

function untag(path: string, state: SesState): SesAnswer {
  const query = new URLSearchParams(path.slice(path.indexOf('?')));
  const domain = query.get('ResourceArn')?.split(':identity/')[1] ?? '';
  const identity = state.identities[domain];
  if (identity === undefined) return noIdentity(domain);
  identity.tags = identity.tags.filter(({ Key }) => !query.getAll('TagKeys').includes(Key));
  return done;
}

const noIdentity = (domain: string): SesAnswer =>
  notFound(`Email identity ${domain} does not exist.`);

function shownOf(domain: string, state: SesState, dns: LocalDns) {
  const identity = state.identities[domain];
  if (identity === undefined) throw new Error(`No identity ${domain}`);
  const { tokens, tags, mailFromDomain, forwarding, errorType } = identity;
  const dkim = dkimStatusOf(domain, identity, dns);
  const exchanges = (mailFromDomain && dns.find(mailFromDomain, 'MX')) || [];
  const isOfSes = exchanges.length === 1 && exchanges[0]?.endsWith('.amazonses.com');
  return {
    IdentityType: 'DOMAIN',
    // False even when verified, as seen on AWS: don't read it.
    VerifiedForSendingStatus: false,
    FeedbackForwardingStatus: forwarding,
    DkimAttributes: {
      SigningEnabled: true,
      Status: dkim,
      Tokens: tokens,
      SigningHostedZone: 'dkim.amazonses.com',
      SigningAttributesOrigin: 'AWS_SES',
    },
    ...(mailFromDomain !== undefined && {
      MailFromAttributes: {
        MailFromDomain: mailFromDomain,
        MailFromDomainStatus: identity.mailFrom ?? (isOfSes ? 'SUCCESS' : 'PENDING'),
        BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
      },
    }),
    Tags: tags,
    VerificationInfo: errorType === undefined ? {} : { ErrorType: errorType },
  };
}

function dkimStatusOf(
  domain: string,
  { tokens, dkim }: SesState['identities'][string],
  dns: LocalDns,
) {
  const hasKeys = tokens.every((token) =>
    dns.find(`${token}._domainkey.${domain}`, 'CNAME')?.includes(`${token}.dkim.amazonses.com`),
  );
  return dkim ?? (hasKeys ? 'SUCCESS' : 'PENDING');
}

/**
 * In the sandbox, email goes only to addresses of verified domains and to the mailbox simulator (SES guide, "Request
 * production access").
 */
export function refusalInSandbox(
  recipients: readonly string[],
  { account, identities }: SesState,
  dns: LocalDns,
): SesAnswer | undefined {
  if (account.ProductionAccessEnabled) return undefined;
  const verified = Object.entries(identities)
    .filter(([domain, identity]) => dkimStatusOf(domain, identity, dns) === 'SUCCESS')
    .map(([domain]) => domain);
  const unverified = recipients.filter((address) => {
    const host = address.toLowerCase().split('@').at(-1) ?? '';
    return ![...verified, 'simulator.amazonses.com'].some(
      (domain) => host === domain || host.endsWith(`.${domain}`),
    );
  });
  if (unverified.length === 0) return undefined;
  const message = `Email address is not verified. The following identities failed the check in region US-EAST-1: ${unverified.join(', ')}`;
  return refusal(400, 'MessageRejected', message);
}
