import { exampleTime } from '#shared/tokens/example-values';
import { domainViewSchema, identityViewSchema } from './identity-view.ts';

export const identityReference = {
  fields: {
    domain: 'Your domain. You control its DNS.',
    fromEmail: 'The From address of every email, in the domain.',
    mailFromLabel:
      'Bounces go to `<label>.<domain>`, so that SPF passes for your domain. A label that has a CNAME is refused.',
    status:
      '`pending`, `active` or `failed`. It becomes active once its TXT and DKIM records are found.',
    reason: 'Why it is not active. Reasons from SES begin with AWS’s own name for them.',
    createdAt: 'When the organization added it, in epoch milliseconds.',
    sendingAs:
      'What sends use now; `null` if nothing. An earlier identity stays in use until the new one is active.',
    tenant: 'The state of the organization as a tenant of SES; `null` if it isn’t one.',
    dkim: 'SES’s progress with DKIM.',
    'dkim.status': 'In SES’s own words; `UNKNOWN` for one that this version doesn’t know.',
    mailFrom: 'SES’s progress with the domain for bounces.',
    'mailFrom.domain': 'The domain for bounces.',
    'mailFrom.status': 'In SES’s own words; `UNKNOWN` for one that this version doesn’t know.',
    records: 'The DNS records to publish, each with its state in DNS.',
    purpose:
      'What the record is for. `ownership` proves that the domain is this organization’s; its value is different for each organization.',
    isRequired: 'Whether the identity waits for it.',
    'records.type': 'The type of the record.',
    'records.name': 'Its full name.',
    relativeName: 'Its name within the zone, for DNS providers that append the zone themselves.',
    'records.value': 'Its value.',
    state: 'Its state in DNS. `unknown`: DNS didn’t answer.',
    seen: 'What DNS actually answers.',
    hint: 'The likely mistake, and how to fix it.',
    policy:
      'For DMARC, once it’s found: what receivers do with forged emails from the domain. A record of a parent domain counts, with its `sp`.',
    zoneFile:
      'All records as a zone file to import. It has a DMARC record only if none applies yet.',
    account: 'What SES lets the AWS account do.',
    region: 'The Region of the deployment.',
    hasProductionAccess:
      '`false` in the SES sandbox, where the account can send only to verified addresses.',
    isSendingEnabled: 'Whether SES accepts emails from the account.',
    enforcementStatus: 'SES’s verdict on the account, in its own words.',
    problems: 'What stops the account from sending.',
    'problems.code': 'The kind of problem.',
    'problems.message': 'What it means.',
    wayOut: 'What to do about it.',
    productionAccessRequest: 'In the sandbox, a draft of the request to AWS for production access.',
  },
} as const;

const isDefault = 'Whether it is the default: the organization’s From identity.';

export const domainReference = {
  fields: {
    ...identityReference.fields,
    fromEmail:
      'Its From address, used by sends without `from` while it’s the default. Default: `hello@<domain>`.',
    isDefault,
    sendingAs: 'What sends without `from` use now; `null` if nothing.',
  },
  listed: {
    domain: 'The domain.',
    isDefault,
    fromEmail: 'Its From address, used by sends without `from` while it’s the default.',
    status: '`pending`, `active` or `failed`, at the last check.',
    reason: 'Why it is not active.',
    createdAt: identityReference.fields.createdAt,
    canSend: 'Whether sends may come from it now.',
  },
} as const;

const exampleIdentity = {
  domain: 'news.example.com',
  fromEmail: 'hello@news.example.com',
  status: 'pending',
  createdAt: exampleTime,
  sendingAs: null,
  tenant: null,
  dkim: { status: 'PENDING' },
  mailFrom: { domain: 'bounces.news.example.com', status: 'PENDING' },
  records: [
    {
      purpose: 'ownership',
      isRequired: true,
      type: 'TXT',
      name: '_email-service.news.example.com',
      relativeName: '_email-service.news',
      value: 'email-service=5f0c2a9be1d34c7786a1f0b9c3d2e4f5a6b7c8d9',
      state: 'missing',
      seen: [],
    },
    {
      purpose: 'mail_from_mx',
      isRequired: false,
      type: 'MX',
      name: 'bounces.news.example.com',
      relativeName: 'bounces.news',
      value: '10 feedback-smtp.eu-west-1.amazonses.com',
      state: 'missing',
      seen: [],
    },
  ],
  zoneFile: 'bounces.news.example.com. 3600 IN MX 10 feedback-smtp.eu-west-1.amazonses.com.',
  account: {
    region: 'eu-west-1',
    hasProductionAccess: true,
    isSendingEnabled: true,
    enforcementStatus: 'HEALTHY',
    problems: [],
  },
} as const;

const exampleDomain = { ...exampleIdentity, isDefault: true } as const;

const answered = 'and the state of its records in DNS.';
export const identityAnswer = {
  body: identityViewSchema,
  description: `The identity, ${answered}`,
  example: exampleIdentity,
} as const;
export const domainAnswer = {
  body: domainViewSchema,
  description: `The domain, ${answered}`,
  example: exampleDomain,
} as const;

export const readingWords =
  'Asks DNS each time, and SES at most every 30 seconds. The service also checks by itself, less and less often, and webhooks get `identity.active`.';
