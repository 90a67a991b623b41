import { Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnStage,
  HttpApi,
  HttpMethod,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { defaultFunction } from '../../functions/endpoints.ts';
import { routes } from '../../functions/routes.ts';
import type { DeploymentConfig } from './deployment-config.ts';
import { openRoutes } from './function-routes.ts';
import { defaultThrottleOf, routeAudiences, throttleOf } from './route-throttles.ts';
import type { ServiceFunction } from './service-function.ts';
import type { ServiceFunctions } from './service-functions.ts';

export type ServiceHttpApiProps = {
  readonly config: DeploymentConfig;
};

/**
 * The front door: `functions/routes.ts` as an HTTP API. No CORS, as keys belong on servers. `route-throttles.ts` has its
 * throttles.
 */
export class ServiceHttpApi extends Construct {
  readonly api: HttpApi;
  readonly #stage: HttpStage;

  constructor(scope: Construct, id: string, props: ServiceHttpApiProps) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', {
      apiName: Stack.of(this).stackName,
      createDefaultStage: false,
    });
    this.#stage = this.#addStage(props.config);
  }

  /** Opens the routes. Apart from the constructor, as the functions have to know the API's address. */
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

  /** The stage refuses to throttle a route that is not there yet ("Unable to find Route by key"). */
  #open(serviceFunction: ServiceFunction, routeKeys: readonly HttpRouteKey[]): void {
    this.#stage.node.addDependency(...openRoutes(this.api, serviceFunction, routeKeys));
  }

  #addStage(config: DeploymentConfig): HttpStage {
    const accessLogs = new LogGroup(this, 'AccessLogs', { retention: config.logRetentionDays });
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
    if (!(resource instanceof CfnStage)) throw new Error('A stage without a resource');
    resource.routeSettings = routeSettingsOf(config);
    return stage;
  }
}

/** What routes take that anybody may call. The others have the stage's default. */
const routeSettingsOf = (config: DeploymentConfig) =>
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
 * The source address is personal data, and here alone: without it nobody can tell who floods the service. Neither user
 * agent nor path nor query string, as a path may have a token: the route instead.
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
