import { Fn, NestedStack } from 'aws-cdk-lib';
import {
  ApiMapping,
  DomainName,
  type HttpApi,
  type HttpStage,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2';
import {
  Certificate,
  CertificateValidation,
  type ICertificate,
} from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet, HostedZone } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import type { CustomDomain } from '../settings/declaration.ts';
import { logicalPrefixOf } from './endpoint-stack.ts';

type CustomDomainsProps = {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  readonly domains: readonly CustomDomain[];
};

/**
 * A separate stack, because there may be many. The functions decide what a host serves:
 * `shared/config/link-domains.ts`.
 */
export class CustomDomains extends NestedStack {
  /** The DNS records that the operator must add, for domains without a Route 53 zone: "host CNAME target". */
  readonly records: readonly string[];

  constructor(scope: Construct, id: string, { api, stage, domains }: CustomDomainsProps) {
    super(scope, id, { description: 'Transactional email service: domains of the API' });
    this.nestedStackResource?.overrideLogicalId(`${logicalPrefixOf(scope)}${id}`);
    let previous: DomainName | undefined;
    this.records = domains.flatMap((domain) => {
      const { name } = domain;
      const own = new Construct(this, name);
      const domainName = new DomainName(own, 'Domain', {
        domainName: name,
        certificate: certificateOf(own, domain),
        securityPolicy: SecurityPolicy.TLS_1_2,
      });
      // AWS creates one domain name per 30 s (API Gateway guide, "Amazon API Gateway quotas", CreateDomainName), and
      // rejects concurrent ones. Their certificates are validated in parallel.
      if (previous !== undefined) domainName.node.addDependency(previous);
      previous = domainName;
      new ApiMapping(own, 'Mapping', { api, domainName, stage });
      if ('certificateArn' in domain) {
        return Fn.join(' CNAME ', [name, domainName.regionalDomainName]);
      }
      addRecord(own, domain, domainName);
      return [];
    });
  }
}

function certificateOf(own: Construct, domain: CustomDomain): ICertificate {
  if ('certificateArn' in domain) {
    return Certificate.fromCertificateArn(own, 'Certificate', domain.certificateArn);
  }
  const zone = HostedZone.fromHostedZoneId(own, 'Zone', domain.hostedZoneId);
  return new Certificate(own, 'Certificate', {
    domainName: domain.name,
    validation: CertificateValidation.fromDns(zone),
  });
}

function addRecord(
  own: Construct,
  { name, hostedZoneId }: Extract<CustomDomain, { hostedZoneId: string }>,
  target: DomainName,
): void {
  new CfnRecordSet(own, 'Record', {
    name,
    type: 'A',
    hostedZoneId,
    aliasTarget: {
      dnsName: target.regionalDomainName,
      hostedZoneId: target.regionalHostedZoneId,
    },
  });
}
