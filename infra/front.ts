import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  OriginRequestPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, OriginGroup } from 'aws-cdk-lib/aws-cloudfront-origins';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import * as z from 'zod';
import { baseAddress } from './settings/declaration.ts';
import { parseSettings, sayingWhatToWrite } from './settings/settings.ts';

const stackWords = 'EmailFront, or EmailFront- and a stage name';

const frontSettings = z.strictObject({
  /** The output `BaseUrl` of the service's stack. */
  apiBaseUrl: baseAddress,
  /**
   * All fronts of an account are stacks in one Region. With a default, a second stage's would take over the first
   * one's, and every link with it. Not `stackName`: cdk.json may have that of the service.
   */
  frontStackName: z
    .string({ error: stackWords })
    .regex(/^EmailFront(?:-[A-Za-z0-9-]{1,100})?$/, stackWords),
  /** Requests without a key, per address in five minutes; WAF refuses more. */
  requestsPerAddress: z.coerce.number().int().min(10).default(1_000),
});

/**
 * CloudFront caches these for 10 s by path alone, so one caller's error would reach the others. The cache policy
 * doesn't change that; `no-store` does, but only for 404, 414 and 501.
 */
const cachedErrors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

const apiOrigin = 'api';
/** The same API twice: the second origin retries what the first one refused. */
const apiAgainOrigin = 'api-again';

/** API Gateway's answer when Lambda throttles a function. CloudFront doesn't fail over from 429. */
const askedAgain = [503] as const;

/**
 * Groups the two origins for reads only. The behavior itself can't have a group: CloudFront rejects one that allows
 * POST (aws/aws-cdk#32450), and it never retries a POST (CloudFront guide, "Helper methods for origin modification",
 * "Optimize high availability with CloudFront origin failover").
 */
const asksReadsAgain = (stack: Stack): EdgeFunction =>
  new EdgeFunction(stack, 'AskReadsAgain', {
    comment: 'Retries reads that the API refused',
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(`import cf from 'cloudfront';
function handler(event) {
  var method = event.request.method;
  if (method === 'GET' || method === 'HEAD') {
    cf.createRequestOriginGroup({
      originIds: [{ originId: '${apiOrigin}' }, { originId: '${apiAgainOrigin}' }],
      failoverCriteria: { statusCodes: ${JSON.stringify(askedAgain)} },
    });
  }
  return event.request;
}
`),
  });

/**
 * A legitimate sender is one address, and so are the image proxies of Gmail and others, which fetch the pixels and some
 * links for all their users. They may make this many times more requests than strangers: with the default, 100 a
 * second.
 */
const moreWithKey = 30;

/** Headers with credentials. WAF can't tell a valid key from a made-up one: see `moreWithKey`. */
const keyHeaders = ['authorization', 'x-api-key', 'x-postmark-server-token', 'x-operator-secret'];

const unchanged = [{ priority: 0, type: 'NONE' }];

/**
 * AWS's way to check that a header is present (WAF guide, "Rate limit the requests that are missing a specific
 * header").
 */
const hasHeader = (name: string): CfnWebACL.StatementProperty => ({
  sizeConstraintStatement: {
    fieldToMatch: { singleHeader: { Name: name } },
    comparisonOperator: 'GT',
    size: 0,
    textTransformations: unchanged,
  },
});

const isTracked: CfnWebACL.StatementProperty = {
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint: 'STARTS_WITH',
    searchString: '/t/',
    textTransformations: unchanged,
  },
};

const isStrangers: CfnWebACL.StatementProperty = {
  notStatement: {
    statement: { orStatement: { statements: [isTracked, ...keyHeaders.map(hasHeader)] } },
  },
};

const metrics = { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };

const refusesMoreThan = (
  limit: number,
  { name, priority, of }: { name: string; priority: number; of?: CfnWebACL.StatementProperty },
): CfnWebACL.RuleProperty => ({
  name,
  priority,
  action: { block: { customResponse: { responseCode: 429 } } },
  statement: {
    rateBasedStatement: {
      aggregateKeyType: 'IP',
      limit,
      evaluationWindowSec: 300,
      ...(of && { scopeDownStatement: of }),
    },
  },
  visibilityConfig: { ...metrics, metricName: name },
});

/**
 * A separate app: CloudFront with WAF in front of the HTTP API, which WAF can't protect directly. It's in us-east-1,
 * where CloudFront's WAF rules must be. See infra/README.md.
 */
export function createFront(app: App): Stack {
  const { apiBaseUrl, frontStackName, requestsPerAddress } = parseSettings(frontSettings, {
    apiBaseUrl: app.node.tryGetContext('apiBaseUrl'),
    frontStackName: app.node.tryGetContext('frontStackName'),
    requestsPerAddress: app.node.tryGetContext('requestsPerAddress'),
  });
  const stack = new Stack(app, frontStackName, {
    description: 'CloudFront and WAF in front of the transactional email service',
    env: { region: 'us-east-1' },
  });
  const webAcl = new CfnWebACL(stack, 'WebAcl', {
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: { ...metrics, metricName: frontStackName },
    rules: [
      refusesMoreThan(requestsPerAddress, { name: 'Stranger', priority: 0, of: isStrangers }),
      refusesMoreThan(moreWithKey * requestsPerAddress, { name: 'OneAddress', priority: 1 }),
    ],
  });
  const { hostname } = new URL(apiBaseUrl);
  const api = new HttpOrigin(hostname, { originId: apiOrigin });
  const apiAgain = new HttpOrigin(hostname, { originId: apiAgainOrigin });
  const always = {
    // API Gateway only answers to its own host name.
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
  };
  const distribution = new Distribution(stack, 'Distribution', {
    webAclId: webAcl.attrArn,
    defaultBehavior: {
      ...always,
      origin: apiAgain,
      // Responses are private or short-lived, as their `Cache-Control` also says.
      cachePolicy: CachePolicy.CACHING_DISABLED,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      functionAssociations: [
        { eventType: FunctionEventType.VIEWER_REQUEST, function: asksReadsAgain(stack) },
      ],
    },
    additionalBehaviors: {
      // Files named by their content hash, the same for everyone.
      '/console/assets/*': {
        ...always,
        origin: new OriginGroup({
          primaryOrigin: api,
          fallbackOrigin: apiAgain,
          fallbackStatusCodes: [...askedAgain],
        }),
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      },
    },
    errorResponses: cachedErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
  });
  new CfnOutput(stack, 'PublicBaseUrl', { value: `https://${distribution.domainName}` });
  return stack;
}

if (import.meta.main) sayingWhatToWrite(() => createFront(new App({ stackTraces: false })));
