import {
  CfnCondition,
  CustomResource,
  Duration,
  Fn,
  NestedStack,
  RemovalPolicy,
  Stack,
  Token,
} from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnRecordSet, type IHostedZone } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';

/** The organization can change whatever the app leaves out. */
export type EmailOrganizationProps = {
  /** Default: the construct's id. */
  readonly name?: string;
  /** Whether its emails may have attachments. Default: yes. */
  readonly attachmentsEnabled?: boolean;
  /** Shown before the From address. */
  readonly senderName?: string;
  /** Default: replies go to the From address. */
  readonly replyTo?: string;
  /** In the footer of bulk emails, such as the postal address. */
  readonly footerText?: string;
  /** Its own unsubscribe page, which replaces the service's. */
  readonly unsubscribePageUrl?: string;
  /** What to track in HTML emails. Default: both. */
  readonly tracking?: { readonly opens?: boolean; readonly clicks?: boolean };
  /** Whether transactional emails have List-Unsubscribe headers. Default: yes. */
  readonly transactionalUnsubscribe?: boolean;
  /** Whether an address alone is enough to read and change preferences. Default: the deployment's setting. */
  readonly preferencesByAddress?: boolean;
  /**
   * `DESTROY` deletes the organization with its resource. By default it stays: CloudFormation reports `DELETE_SKIPPED`,
   * and a resource with the same id in the same stack picks it up again.
   */
  readonly removalPolicy?: RemovalPolicy.RETAIN | RemovalPolicy.DESTROY;
};

export type EmailDomainProps = {
  /** The zone's domain, or a subdomain of it. Default: the zone's domain. */
  readonly domainName?: string;
  /** Default: `hello@` the domain. */
  readonly fromEmail?: string;
  /** Bounces go to `<label>.<domain>`. Default: `bounces`. */
  readonly mailFromLabel?: string;
  /**
   * Takes over a domain that SES has already verified: its keys, DNS records, MAIL FROM domain and configuration set
   * stay, even when the resource is removed. Default: the deployment fails on such a domain.
   */
  readonly adopt?: boolean;
  /** How many minutes the deployment waits for SES to verify the domain: at most 14, or 0 not to wait. Default: 10. */
  readonly waitMinutes?: number;
};

export type EmailDeclaring = {
  lambdaOf(name: 'declare-organization' | 'declare-domain'): IFunction;
  /** Lets the service give back domains that were in SES before. */
  allowGivingBack(): void;
};

export class EmailOrganization extends Construct {
  readonly organizationId: string;
  /** The key that `grantSend` lets roles send with. Its secret is never revealed. */
  readonly apiKeyId: string;
  readonly #declaring: EmailDeclaring;
  #lastDomain: EmailDomain | undefined;

  constructor(
    scope: Construct,
    id: string,
    { removalPolicy = RemovalPolicy.RETAIN, name = id, ...settings }: EmailOrganizationProps,
    declaring: EmailDeclaring,
  ) {
    super(scope, id);
    this.#declaring = declaring;
    const resource = new CustomResource(this, 'Organization', {
      serviceToken: declaring.lambdaOf('declare-organization').functionArn,
      serviceTimeout: Duration.minutes(5),
      resourceType: 'Custom::EmailOrganization',
      // JSON, as CloudFormation turns numbers and booleans into strings.
      properties: { Settings: Stack.of(this).toJsonString({ name, ...settings }) },
      removalPolicy,
    });
    this.organizationId = resource.getAttString('OrganizationId');
    this.apiKeyId = resource.getAttString('ApiKeyId');
  }

  /**
   * Verified once the stack is up: creates the domain's identity in SES and its records in the zone. The first domain
   * is the default. An existing DMARC policy stays.
   */
  domain(zone: IHostedZone, props: EmailDomainProps = {}): EmailDomain {
    const { domainName = zone.zoneName, adopt = false } = props;
    if (Token.isUnresolved(domainName)) {
      throw new Error(
        "domain(): the domain's name isn't known at synthesis. Set domainName to a literal",
      );
    }
    if (adopt) this.#declaring.allowGivingBack();
    const domain = new EmailDomain(
      this,
      domainName,
      { ...props, zone, organization: this, after: this.#lastDomain },
      this.#declaring,
    );
    this.#lastDomain = domain;
    return domain;
  }
}

type DeclaredDomainProps = EmailDomainProps & {
  readonly zone: IHostedZone;
  readonly organization: EmailOrganization;
  /** Declared before it. */
  readonly after: EmailDomain | undefined;
};

export class EmailDomain extends Construct {
  readonly domainName: string;
  readonly #resource: CustomResource;

  constructor(
    scope: Construct,
    domainName: string,
    { zone, organization, after, ...props }: DeclaredDomainProps,
    declaring: EmailDeclaring,
  ) {
    super(scope, domainName);
    this.domainName = domainName;
    const { mailFromLabel = 'bounces', adopt = false, waitMinutes = 10 } = props;
    const serviceToken = declaring.lambdaOf('declare-domain').functionArn;
    const named = { OrganizationId: organization.organizationId, Domain: domainName };
    const domain = new CustomResource(this, 'Domain', {
      serviceToken,
      serviceTimeout: Duration.minutes(15),
      resourceType: 'Custom::EmailDomain',
      properties: {
        ...named,
        ...(props.fromEmail !== undefined && { FromEmail: props.fromEmail }),
        MailFromLabel: mailFromLabel,
        Adopts: adopt,
      },
    });
    this.#resource = domain;
    // In sequence: of two concurrent changes one fails, and the default would be random.
    if (after !== undefined) domain.node.addDependency(after.#resource);
    const records = new DomainRecords(this, 'Records', { zone, domainName, domain });
    if (waitMinutes === 0) return;
    const verified = new CustomResource(this, 'Verified', {
      serviceToken,
      serviceTimeout: Duration.minutes(15),
      resourceType: 'Custom::EmailDomainVerified',
      properties: { ...named, WaitMinutes: waitMinutes },
    });
    verified.node.addDependency(domain, records);
  }
}

type DomainRecordsProps = {
  readonly zone: IHostedZone;
  readonly domainName: string;
  readonly domain: CustomResource;
};

/** A nested stack, because parameters, set after SES and DNS were queried, decide whether a record exists. */
class DomainRecords extends NestedStack {
  constructor(scope: Construct, id: string, props: DomainRecordsProps) {
    super(scope, id, { description: `Transactional email service: DNS of ${props.domainName}` });
    const { zone, domain } = props;
    const conditionOf = (name: string) =>
      new CfnCondition(this, name, {
        expression: Fn.conditionEquals(domain.getAttString(name), 'true'),
      });
    const publishes = conditionOf('Publishes');
    const publishesDmarc = conditionOf('PublishesDmarc');
    for (const [record, type] of records) {
      const set = new CfnRecordSet(this, record, {
        hostedZoneId: zone.hostedZoneId,
        name: domain.getAttString(`${record}Name`),
        type,
        ttl: '3600',
        resourceRecords: [domain.getAttString(`${record}Value`)],
      });
      set.cfnOptions.condition = record === 'Dmarc' ? publishesDmarc : publishes;
    }
  }
}

/** The attributes in which the domain's resource reports each record. */
const records = [
  ['Dkim1', 'CNAME'],
  ['Dkim2', 'CNAME'],
  ['Dkim3', 'CNAME'],
  ['MailFromMx', 'MX'],
  ['MailFromSpf', 'TXT'],
  ['Dmarc', 'TXT'],
] as const;
