import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createFront } from '../../infra/front.ts';
import { createApp } from './synthesised-stack.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

const apiBaseUrl = 'https://abc123.execute-api.eu-west-1.amazonaws.com';
const front = { apiBaseUrl, frontStackName: 'EmailFront' };
const synthesise = (context: Record<string, unknown>) =>
  Template.fromStack(createFront(createApp(context)));

type Statement = z.infer<typeof statementShape>;
/** The statements of WAF that the rules use. */
const statementShape = z.union([
  z.strictObject({
    NotStatement: z.strictObject({
      get Statement() {
        return statementShape;
      },
    }),
  }),
  z.strictObject({
    OrStatement: z.strictObject({
      get Statements() {
        return z.array(statementShape);
      },
    }),
  }),
  z.strictObject({
    ByteMatchStatement: z.object({
      FieldToMatch: z.strictObject({ UriPath: z.strictObject({}) }),
      PositionalConstraint: z.literal('STARTS_WITH'),
      SearchString: z.string(),
    }),
  }),
  z.strictObject({
    SizeConstraintStatement: z.object({
      FieldToMatch: z.strictObject({ SingleHeader: z.strictObject({ Name: z.string() }) }),
      ComparisonOperator: z.literal('GT'),
      Size: z.literal(0),
    }),
  }),
]);
const aclShape = z.object({
  Properties: z.object({
    Rules: z.tuple(
      [
        z.object({
          Statement: z.object({
            RateBasedStatement: z.object({ ScopeDownStatement: statementShape }),
          }),
        }),
      ],
      z.unknown(),
    ),
  }),
});

/** As WAF judges a request. */
function matches(
  statement: Statement,
  path: string,
  headers: Readonly<Record<string, string>>,
): boolean {
  if ('NotStatement' in statement) return !matches(statement.NotStatement.Statement, path, headers);
  if ('OrStatement' in statement) {
    return statement.OrStatement.Statements.some((one) => matches(one, path, headers));
  }
  if ('ByteMatchStatement' in statement) {
    return path.startsWith(statement.ByteMatchStatement.SearchString);
  }
  const { Name } = statement.SizeConstraintStatement.FieldToMatch.SingleHeader;
  return (headers[Name] ?? '').length > 0;
}
const distributionShape = z.object({
  Properties: z.object({
    DistributionConfig: z.object({
      Origins: z.array(z.object({ Id: z.string(), DomainName: z.string() })),
      OriginGroups: z.object({ Items: z.array(z.unknown()) }),
      CacheBehaviors: z.array(z.object({ TargetOriginId: z.string() })),
    }),
  }),
});
const functionShape = z.object({ Properties: z.object({ FunctionCode: z.string() }) });

const distributionOf = (template: Template) =>
  distributionShape.parse(Object.values(template.findResources('AWS::CloudFront::Distribution'))[0])
    .Properties;

describe('the CloudFront front that the README documents', () => {
  const template = synthesise({ ...front, requestsPerAddress: '500' });

  it('passes every request to the API, and caches only the console’s files', () => {
    template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        DefaultCacheBehavior: {
          AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
          // AWS's own policies CachingDisabled and AllViewerExceptHostHeader.
          CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
          OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
          ViewerProtocolPolicy: 'https-only',
        },
        CacheBehaviors: [
          {
            PathPattern: '/console/assets/*',
            AllowedMethods: ['GET', 'HEAD'],
            // AWS's own CachingOptimized.
            CachePolicyId: '658327ea-f89d-4fab-a63d-7e88639e58f6',
            OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
            ViewerProtocolPolicy: 'https-only',
          },
        ],
      },
    });
  });

  it('retries a console file that got 503 at the same API', () => {
    const hostname = 'abc123.execute-api.eu-west-1.amazonaws.com';
    const { DistributionConfig: config } = distributionOf(template);

    expect(config.Origins).toEqual([
      { Id: 'api-again', DomainName: hostname },
      { Id: 'api', DomainName: hostname },
    ]);
    expect(config.OriginGroups.Items).toEqual([
      {
        Id: config.CacheBehaviors[0]?.TargetOriginId,
        FailoverCriteria: { StatusCodes: { Items: [503], Quantity: 1 } },
        Members: { Items: [{ OriginId: 'api' }, { OriginId: 'api-again' }], Quantity: 2 },
      },
    ]);
  });

  // A behavior that allows POST can't have an origin group: its function makes one where that's safe.
  it.each([
    ['GET', true],
    ['HEAD', true],
    ['POST', false],
    ['DELETE', false],
  ])('retries any %s that got 503: %s', (method, isAskedAgain) => {
    const { DistributionConfig: config } = distributionOf(template);
    const groups: unknown[] = [];
    const code = functionShape.parse(
      Object.values(template.findResources('AWS::CloudFront::Function'))[0],
    ).Properties.FunctionCode;

    const handed: unknown = runInNewContext(
      `${code.replace(/^import cf .*$/m, '')}; handler({ request: { method: '${method}' } })`,
      { cf: { createRequestOriginGroup: (group: unknown) => groups.push(group) } },
    );

    expect(handed).toEqual({ method });
    expect(groups).toEqual(
      isAskedAgain
        ? [
            {
              originIds: config.Origins.map(({ Id }) => ({ originId: Id })).reverse(),
              failoverCriteria: { statusCodes: [503] },
            },
          ]
        : [],
    );
  });

  it('caches no error, which the next caller of the same path would get', () => {
    const statuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

    template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        CustomErrorResponses: statuses.map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
      },
    });
  });

  it('blocks an address without a key that asks too often, and any address at thirty times that rate', () => {
    const refusal = { Block: { CustomResponse: { ResponseCode: 429 } } };

    template.hasResourceProperties('AWS::WAFv2::WebACL', {
      Scope: 'CLOUDFRONT',
      Rules: [
        {
          Name: 'Stranger',
          Action: refusal,
          Statement: { RateBasedStatement: { AggregateKeyType: 'IP', Limit: 500 } },
        },
        {
          Name: 'OneAddress',
          Action: refusal,
          Statement: { RateBasedStatement: { AggregateKeyType: 'IP', Limit: 15_000 } },
        },
      ],
    });
  });

  it.each([
    ['a stranger', '/docs', {}, true],
    ['a stranger at a keyed route', '/api/v1/sends', {}, true],
    ['a mail server that unsubscribes', '/api/unsubscribe', { 'content-type': 'text/plain' }, true],
    ['a proxy that fetches pixels', '/t/o/token', {}, false],
    ['a program that sends', '/api/v1/emails/send', { authorization: 'Bearer esk_1' }, false],
    ['a program of Postmark', '/postmark/email', { 'x-postmark-server-token': 'esk_1' }, false],
    ['a program with an empty key', '/api/v1/emails/send', { authorization: '' }, true],
  ])('counts %s at %s as anonymous or not', (_, path, headers, isStranger) => {
    const [acl] = Object.values(template.findResources('AWS::WAFv2::WebACL'));
    const { Statement } = aclShape.parse(acl).Properties.Rules[0];

    expect(matches(Statement.RateBasedStatement.ScopeDownStatement, path, headers)).toBe(
      isStranger,
    );
  });

  it('has its own stack and metrics for each stage', () => {
    const fronts = ['EmailFront', 'EmailFront-staging'].map((frontStackName) =>
      createFront(createApp({ ...front, frontStackName })),
    );

    expect(fronts.map(({ stackName }) => stackName)).toEqual(['EmailFront', 'EmailFront-staging']);
    for (const stack of fronts) {
      Template.fromStack(stack).hasResourceProperties('AWS::WAFv2::WebACL', {
        VisibilityConfig: { MetricName: stack.stackName },
      });
    }
  });

  it.each([
    [{ ...front, apiBaseUrl: undefined }, '✖ apiBaseUrl is missing; it takes an https:// address'],
    [
      { ...front, apiBaseUrl: 'http://api.example.com' },
      '✖ apiBaseUrl is "http://api.example.com", but',
    ],
    [{ ...front, apiBaseUrl: `${apiBaseUrl}/v1` }, 'takes an https:// address without a path'],
    [
      { apiBaseUrl },
      '✖ frontStackName is missing; it takes EmailFront, or EmailFront- and a stage name',
    ],
    [{ ...front, frontStackName: 'EmailService' }, '✖ frontStackName is "EmailService", but'],
    [{ ...front, requestsPerAddress: 'few' }, '✖ requestsPerAddress is "few", but takes a number'],
  ])('rejects %j in one line', (context, line) => {
    expect(() => synthesise(context)).toThrow(line);
    expect(() => synthesise(context)).toThrow(/^✖ .+$/);
  });

  it('rejects it without a stack trace', async () => {
    const program = run(process.execPath, ['infra/front.ts'], { cwd: root });

    await expect(program).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^✖ apiBaseUrl is missing.+\n✖ frontStackName is missing.+\n$/),
    });
  }, 60_000);
});
