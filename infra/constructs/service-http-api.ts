import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnStage,
  HttpApi,
  HttpMethod,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { defaultFunction } from '../../functions/endpoints.ts';
import { routes } from '../../functions/routes.ts';
import type { Settings } from '../settings/declaration.ts';
import { metricsNamespace, serviceMetric, serviceNameOf } from './alarms/service-metric.ts';
import { addIamRoute, addRoutes } from './function-routes.ts';
import { defaultThrottleOf, routeAudiences, throttleOf } from './route-throttles.ts';
import type { ServiceFunction } from './service-function.ts';
import type { ServiceFunctions } from './service-functions.ts';

/** `functions/routes.ts` as an HTTP API. No CORS, because keys belong on servers. Throttles: `route-throttles.ts`. */
export class ServiceHttpApi extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  /**
   * Requests without a valid key or secret, and requests that match no route. The functions count the former: the
   * access log only has the status, which is 403 for a wrong key under `/resend`.
   */
  readonly anonymousRequests: MathExpression;
  /** Requests that API Gateway throttled. When it throttles very many, it only logs some. */
  readonly throttledRequests: Metric;
  #hasIamRoute = false;

  constructor(scope: Construct, id: string, config: Settings) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', {
      apiName: Stack.of(this).stackName,
      createDefaultStage: false,
    });
    const accessLogs = this.#addAccessLogs(config);
    this.stage = this.#addStage(config, accessLogs);
    this.anonymousRequests = this.#countAnonymous(accessLogs);
    this.throttledRequests = this.#countThrottled(accessLogs);
  }

  /** Separate from the constructor, because the functions need the API's address. */
  serve(functions: ServiceFunctions): void {
    const byFunction = Map.groupBy(routes, ({ functionName }) => functionName);
    for (const [name, itsRoutes] of byFunction) {
      const routeKeys = itsRoutes.map(({ method, path }) =>
        HttpRouteKey.with(path, HttpMethod[method]),
      );
      this.#open(functions.get(name), routeKeys);
    }
    this.#open(functions.get(defaultFunction), [HttpRouteKey.DEFAULT]);
  }

  /**
   * For sending as this key without its secret. The route exists once someone is granted it; API Gateway refuses
   * everyone else, including other accounts.
   */
  arnOfIamSend(sendEmail: ServiceFunction, apiKeyId: string): string {
    if (!this.#hasIamRoute) addIamRoute(this.api, sendEmail, iamSendPathOf('{apiKeyId}'));
    this.#hasIamRoute = true;
    return Stack.of(this).formatArn({
      service: 'execute-api',
      resource: this.api.apiId,
      resourceName: `${this.stage.stageName}/POST${iamSendPathOf(apiKeyId)}`,
    });
  }

  /** The stage can't throttle a route that doesn't exist yet ("Unable to find Route by key"). */
  #open(serviceFunction: ServiceFunction, routeKeys: readonly HttpRouteKey[]): void {
    this.stage.node.addDependency(...addRoutes(this.api, serviceFunction, routeKeys));
  }

  #countAnonymous(accessLogs: ILogGroup): MathExpression {
    const options = { statistic: 'Sum', period: Duration.minutes(5) } as const;
    return new MathExpression({
      expression: 'FILL(refused, 0) + FILL(unknown, 0)',
      usingMetrics: {
        refused: serviceMetric(this, 'KeyRefused', options),
        unknown: this.#countUnknownRoutes(accessLogs).with(options),
      },
      period: options.period,
    });
  }

  /** A log filter's metric has no dimensions, so the namespace keeps two deployments apart. */
  #countUnknownRoutes(accessLogs: ILogGroup): Metric {
    return new MetricFilter(this, 'Anonymous', {
      logGroup: accessLogs,
      filterPattern: FilterPattern.stringValue('$.routeKey', '=', '$default'),
      metricNamespace: `${metricsNamespace}/${serviceNameOf(this)}`,
      metricName: 'UnknownRoutes',
    }).metric();
  }

  /** A function's own 429 has an integration status; a throttled request has none. */
  #countThrottled(accessLogs: ILogGroup): Metric {
    return new MetricFilter(this, 'Throttled', {
      logGroup: accessLogs,
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue('$.status', '=', '429'),
        FilterPattern.stringValue('$.integrationStatus', '=', '-'),
      ),
      metricNamespace: `${metricsNamespace}/${serviceNameOf(this)}`,
      metricName: 'ThrottledRequests',
    }).metric({ statistic: 'Sum', period: Duration.minutes(5) });
  }

  /**
   * The prefix keeps the Region's resource policy for log delivery short: API Gateway adds every other log group to
   * that policy, which may have 5,120 characters (API Gateway guide, "Troubleshooting issues with HTTP API"; CloudWatch
   * Logs guide, "Enable logging from AWS services"). The suffix is new with each API, so a log group left behind by a
   * destroyed stack isn't in the way.
   */
  #addAccessLogs({ logRetentionDays }: Settings): LogGroup {
    return new LogGroup(this, 'AccessLogs', {
      logGroupName: `/aws/vendedlogs/${Stack.of(this).stackName}/${this.api.apiId}`,
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
  }

  #addStage(config: Settings, accessLogs: ILogGroup): HttpStage {
    const stage = new HttpStage(this, 'DefaultStage', {
      httpApi: this.api,
      autoDeploy: true,
      throttle: defaultThrottleOf(config),
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
    const resource = stage.node.defaultChild;
    if (!(resource instanceof CfnStage))
      throw new Error('The stage has no CloudFormation resource');
    resource.routeSettings = routeSettingsOf(config);
    return stage;
  }
}

export const iamSendPathOf = (apiKeyId: string): string => `/iam/${apiKeyId}/emails/send`;

/** For routes that anyone may call; the others use the stage's default. */
const routeSettingsOf = (config: Settings) =>
  Object.fromEntries(
    [...routeAudiences].flatMap(([routeKey, audience]) => {
      const throttle = throttleOf(audience, config);
      if (throttle === undefined) return [];
      const { rateLimit, burstLimit } = throttle;
      return [
        [routeKey, { ThrottlingRateLimit: rateLimit, ThrottlingBurstLimit: burstLimit }] as const,
      ];
    }),
  );

/**
 * The source address is personal data, and logged only here, to find who floods the service. No user agent, path or
 * query string: a path may contain a token, so the route is logged instead.
 */
const accessLogFields = {
  sourceIp: '$context.identity.sourceIp',
  requestId: '$context.requestId',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLatency: '$context.responseLatency',
  integrationStatus: '$context.integrationStatus',
  integrationLatency: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
};
