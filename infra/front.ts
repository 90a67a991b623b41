import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  OriginRequestPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import * as z from 'zod';
import { baseAddress } from './settings/declaration.ts';
import { parseSettings, sayingWhatToWrite } from './settings/settings.ts';

const stackWords = 'EmailFront, or EmailFront- and the name of a stage';

const frontSettings = z.strictObject({
  /** The output `BaseUrl` of the service's stack. */
  apiBaseUrl: baseAddress,
  /**
   * All fronts of an account are stacks in one Region. With a default, a second stage's would take over the first one's,
   * and every link with it. Not `stackName`: cdk.json may have that of the service.
   */
  frontStackName: z
    .string({ error: stackWords })
    .regex(/^EmailFront(?:-[A-Za-z0-9-]{1,100})?$/, stackWords),
  /** Per address in five minutes; WAF refuses more. */
  requestsPerAddress: z.coerce.number().int().min(10).default(1_000),
});

/**
 * CloudFront caches these for 10 s by path alone, so one caller's error would answer the others. The cache policy doesn't
 * change that, and `no-store` only for 404, 414 and 501.
 */
const cachedErrors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

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
  const metrics = { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };
  const webAcl = new CfnWebACL(stack, 'WebAcl', {
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: { ...metrics, metricName: frontStackName },
    rules: [
      {
        name: 'OneAddress',
        priority: 0,
        action: { block: { customResponse: { responseCode: 429 } } },
        statement: {
          rateBasedStatement: {
            aggregateKeyType: 'IP',
            limit: requestsPerAddress,
            evaluationWindowSec: 300,
          },
        },
        visibilityConfig: { ...metrics, metricName: 'OneAddress' },
      },
    ],
  });
  const distribution = new Distribution(stack, 'Distribution', {
    webAclId: webAcl.attrArn,
    defaultBehavior: {
      origin: new HttpOrigin(new URL(apiBaseUrl).hostname),
      // Answers are for one person or one moment, as their `Cache-Control` also says.
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // API Gateway only answers to its own host name.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    },
    errorResponses: cachedErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
  });
  new CfnOutput(stack, 'PublicBaseUrl', { value: `https://${distribution.domainName}` });
  return stack;
}

if (import.meta.main) sayingWhatToWrite(() => createFront(new App({ stackTraces: false })));
