import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { asText } from './resolve-intrinsics.ts';
import {
  otherSettings,
  resourceAt,
  resourcesOfType,
  synthesiseStack,
  synthesiseWithSettings,
} from './synthesised-stack.ts';

const plain = synthesiseStack();
const stack = synthesiseWithSettings();

const waiting = z.object({ DependsOn: z.optional(z.array(z.string())) });
const outputs = z.object({ Outputs: z.record(z.string(), z.object({ Value: z.unknown() })) });
const outputsOf = ({ template }: typeof stack) => outputs.parse(template.toJSON()).Outputs;

describe('custom domains for the API', () => {
  it('are off by default', () => {
    expect(resourcesOfType(plain, 'AWS::ApiGatewayV2::DomainName')).toEqual([]);
    expect(outputsOf(plain)).not.toHaveProperty('DnsRecords');
  });

  it('lead to the API over TLS, each with its certificate', () => {
    const domains = resourcesOfType(stack, 'AWS::ApiGatewayV2::DomainName').map(
      ({ Properties }) => Properties,
    );
    expect(domains.map(({ DomainName }) => DomainName)).toEqual([
      'email-api.example.com',
      'links.shop.example',
      'links.club.example',
    ]);
    for (const { DomainNameConfigurations } of domains) {
      expect(DomainNameConfigurations).toEqual([
        expect.objectContaining({ SecurityPolicy: 'TLS_1_2', EndpointType: 'REGIONAL' }),
      ]);
    }
    const mappings = resourcesOfType(stack, 'AWS::ApiGatewayV2::ApiMapping');
    expect(mappings.map(({ Properties }) => asText(stack, Properties['ApiId']))).toEqual(
      domains.map(() => 'HttpApi/Api'),
    );
  });

  it('are created in sequence, as AWS creates one per 30 seconds', () => {
    const { Resources } = stack.templates.get('CustomDomains') ?? { Resources: {} };
    const ids = Object.entries(Resources)
      .filter(([, { Type }]) => Type === 'AWS::ApiGatewayV2::DomainName')
      .map(([id]) => id);

    const waitsFor = ids.map((id) => waiting.parse(Resources[id]).DependsOn ?? []);

    expect(waitsFor).toEqual(ids.map((_, index) => ids.slice(Math.max(index - 1, 0), index)));
  });

  it('get certificates validated and records created in a Route 53 zone', () => {
    expect(
      resourcesOfType(stack, 'AWS::CertificateManager::Certificate').map(
        ({ Properties }) => Properties,
      ),
    ).toMatchObject([
      {
        DomainName: 'email-api.example.com',
        DomainValidationOptions: [{ HostedZoneId: 'Z0123456789EXAMPLE' }],
      },
      { DomainName: 'links.club.example' },
    ]);
    expect(
      resourcesOfType(stack, 'AWS::Route53::RecordSet').map(({ Properties }) => Properties),
    ).toMatchObject([
      { Name: 'email-api.example.com', Type: 'A', HostedZoneId: 'Z0123456789EXAMPLE' },
      { Name: 'links.club.example', Type: 'A', HostedZoneId: 'Z9876543210EXAMPLE' },
    ]);
  });

  it('with other DNS are output for the operator, with the record to create', () => {
    const { DnsRecords } = outputsOf(stack);

    expect(DnsRecords?.Value).toMatchObject({
      'Fn::Join': [' CNAME ', ['links.shop.example', expect.anything()]],
    });
  });
});

describe("the service's public URL", () => {
  it('uses the custom domain', () => {
    const alone = synthesiseStack(otherSettings);

    expect(outputsOf(alone)['PublicBaseUrl']).toEqual({ Value: 'https://email-api.example.com' });
  });

  it('uses whatever is in front of the domain', () => {
    expect(outputsOf(stack)['PublicBaseUrl']).toEqual({ Value: 'https://front.example.com' });
  });

  it("is the API's own address by default", () => {
    expect(asText(plain, outputsOf(plain)['PublicBaseUrl']?.Value)).toBe('HttpApi/Api');
  });
});

describe("an operator's own KMS key", () => {
  const keyArn = 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';

  it('encrypts table, bucket and secrets', () => {
    expect(resourceAt(stack, 'ServiceTable/Table').Properties['SSESpecification']).toEqual({
      KMSMasterKeyId: keyArn,
      SSEEnabled: true,
      SSEType: 'KMS',
    });
    expect(JSON.stringify(resourceAt(stack, 'AttachmentsBucket/Bucket').Properties)).toContain(
      keyArn,
    );
    for (const { Properties } of resourcesOfType(stack, 'AWS::SecretsManager::Secret')) {
      expect(Properties['KmsKeyId']).toBe(keyArn);
    }
  });

  it('is usable by every function through these services only', () => {
    const roles = resourcesOfType(stack, 'AWS::IAM::Role').filter(
      ({ path }) => path.startsWith('Functions/') && !path.endsWith('GradualDeployments/Role'),
    );
    expect(roles.length).toBeGreaterThan(80);
    for (const { Properties } of roles) {
      const policies = JSON.stringify(Properties['Policies']);
      expect(policies).toContain(`"Resource":"${keyArn}"`);
      expect(policies).toContain('kms:ViaService');
    }
  });

  it("is AWS's by default", () => {
    expect(resourceAt(plain, 'ServiceTable/Table').Properties['SSESpecification']).toEqual({
      SSEEnabled: false,
    });
    expect(JSON.stringify([...plain.templates.values()])).not.toContain('kms:');
  });
});

it('every function writes X-Ray traces if the operator wants them', () => {
  const tracing = (synthesised: typeof stack) =>
    new Set(
      resourcesOfType(synthesised, 'AWS::Lambda::Function')
        .filter(({ path }) => path.startsWith('Functions/'))
        .map(({ Properties }) => JSON.stringify(Properties['TracingConfig'])),
    );

  expect(tracing(stack)).toEqual(new Set(['{"Mode":"Active"}']));
  expect(tracing(plain)).toEqual(new Set([undefined]));
});
