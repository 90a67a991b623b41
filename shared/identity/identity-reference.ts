/** What the reference tells of every endpoint that answers the From identity. */
export const identityReference = {
  fields: {
    domain: 'The domain. Its DNS is yours.',
    fromEmail: 'The From address of every email: an address of the domain.',
    mailFromLabel:
      'Bounces go to `<label>.<domain>`, so that SPF speaks for your domain. A label where a CNAME stands is refused.',
    status:
      '`pending`, `active` or `failed`. It is active once its TXT record and its DKIM records are found.',
    reason: 'Why it is not active. One of SES’s begins with AWS’s own name for it.',
    sendingAs:
      'What sends use now; `null` when there is nothing. An earlier identity goes on until the new one is active.',
    tenant: 'The state of the organization as a tenant of SES; `null` where it is none.',
    dkim: 'How far SES has come with the keys that sign.',
    'dkim.status': 'In SES’s own words.',
    mailFrom: 'How far SES has come with the domain for bounces.',
    'mailFrom.domain': 'The domain for bounces.',
    'mailFrom.status': 'In SES’s own words.',
    records: 'The DNS records to publish, each with how DNS has it.',
    purpose:
      'What it is for. `ownership` says for which organization the others are; it is different for each.',
    isRequired: 'Whether the identity waits for it.',
    'records.type': 'The type of the record.',
    'records.name': 'Its full name.',
    relativeName: 'Its name within the zone, for DNS providers that append the zone by themselves.',
    'records.value': 'Its value.',
    state: 'How DNS has it. `unknown`: DNS does not answer.',
    seen: 'What DNS really answers.',
    hint: 'The likely mistake.',
    policy:
      'Of DMARC, once it is found: what receivers do with forgeries of the domain. A record above the domain counts, with its `sp`.',
    zoneFile:
      'All records as a zone file, to import. A DMARC record is in it only where none applies yet.',
    account: 'What SES lets the AWS account do.',
    region: 'The Region of the deployment.',
    hasProductionAccess: '`false` in the sandbox: it sends to verified addresses only.',
    isSendingEnabled: 'Whether SES takes emails of the account.',
    enforcementStatus: 'What SES has decided about the account, in its own words.',
    problems: 'What keeps the account from sending.',
    'problems.code': 'Which one.',
    'problems.message': 'What it means.',
    wayOut: 'What to do about it.',
    productionAccessRequest: 'A draft for AWS, in the sandbox.',
  },
} as const;

/** An identity that waits for its records. */
export const exampleIdentity = {
  domain: 'news.example.com',
  fromEmail: 'hello@news.example.com',
  status: 'pending',
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
