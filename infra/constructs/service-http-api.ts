import { Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  HttpApi,
  HttpMethod,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { defaultFunction, routes } from '../../functions/routes.ts';
import type { DeploymentConfig } from './deployment-config.ts';
import { openRoutes } from './function-routes.ts';
import type { ServiceFunctions } from './service-functions.ts';

export type ServiceHttpApiProps = {
  readonly config: DeploymentConfig;
};

/**
 * The front door: `functions/routes.ts` as an HTTP API. No CORS, as keys belong on servers. `deployment-config.ts`
 * has its throttle.
 */
export class ServiceHttpApi extends Construct {
  readonly api: HttpApi;

  constructor(scope: Construct, id: string, props: ServiceHttpApiProps) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', {
      apiName: Stack.of(this).stackName,
      createDefaultStage: false,
    });
    this.#addStage(props.config);
  }

  /** Opens the routes. Apart from the constructor, as the functions have to know the API's address. */
  serve(functions: ServiceFunctions): void {
    const byFunction = Map.groupBy(routes, ({ functionName }) => functionName);
    for (const [name, itsRoutes] of byFunction) {
      const routeKeys = itsRoutes.map(({ method, path }) =>
        HttpRouteKey.with(path, HttpMethod[method]),
      );
      openRoutes(this.api, functions.get(name), routeKeys);
    }
    openRoutes(this.api, functions.get(defaultFunction), [HttpRouteKey.DEFAULT]);
  }

  #addStage(config: DeploymentConfig): void {
    const accessLogs = new LogGroup(this, 'AccessLogs', { retention: config.logRetentionDays });
    new HttpStage(this, 'DefaultStage', {
      httpApi: this.api,
      autoDeploy: true,
      throttle: { rateLimit: config.apiRequestsPerSecond, burstLimit: config.apiBurst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
  }
}

/** No personal data: neither IP nor user agent, and the route instead of the path and query string. */
const accessLogFields = {
  requestId: '$context.requestId',
  requestTime: '$context.requestTime',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLatency: '$context.responseLatency',
  integrationStatus: '$context.integrationStatus',
  integrationLatency: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
};
