import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { DeploymentConfig } from './deployment-config.ts';
import type { FunctionName } from './function-catalogue.ts';
import { ServiceAlarm } from './service-alarm.ts';
import type { ServiceFunctions } from './service-functions.ts';

export type ServiceAlarmsProps = {
  readonly config: DeploymentConfig;
  readonly functions: ServiceFunctions;
  readonly api: HttpApi;
  readonly alarmTopic: ITopic;
};

/** What rings besides the dead-letter queues: few alarms, each worth being woken for. */
export class ServiceAlarms extends Construct {
  constructor(scope: Construct, id: string, props: ServiceAlarmsProps) {
    super(scope, id);
    this.#sendsDie(props, 'send-email');
    this.#sendsDie(props, 'send-global-email');
    this.#providerEventsAreLate(props);
    this.#apiFails(props);
  }

  /** A handler answers every error it meets, so this counts timeouts, crashes and lack of memory. */
  #sendsDie({ functions, alarmTopic }: ServiceAlarmsProps, name: FunctionName): void {
    new ServiceAlarm(this, `${name}-errors`, {
      metric: functions.get(name).lambda.metricErrors({ period: Duration.minutes(5) }),
      threshold: 1,
      impact: `${name} died in mid-request: the caller does not know whether the email went out. Retries with an idempotency key are safe; without one they may send twice. Read its log for the timeout or crash.`,
      alarmTopic,
    });
  }

  #providerEventsAreLate({ config, functions, alarmTopic }: ServiceAlarmsProps): void {
    const { lambda } = functions.get('record-provider-event');
    new ServiceAlarm(this, 'provider-events-late', {
      metric: lambda.metric('AsyncEventAge', {
        statistic: 'Maximum',
        period: Duration.minutes(1),
      }),
      threshold: (config.doubtWindowSeconds * 1_000) / 2,
      impact:
        "Provider events arrive later than half the doubt window. Beyond all of it, a retried send of unknown outcome goes out a second time, as SES's proof of the first is still on its way. Look for throttling or errors of record-provider-event, or raise doubtWindowSeconds.",
      alarmTopic,
    });
  }

  #apiFails({ api, alarmTopic }: ServiceAlarmsProps): void {
    new ServiceAlarm(this, 'http-5xx', {
      metric: api.metricServerError({ statistic: 'Sum', period: Duration.minutes(5) }),
      // Single ones happen, when SES does not answer in time, and callers retry them.
      threshold: 5,
      impact:
        'Callers get 5xx answers: emails are not sent, or with an unknown outcome. The access log names the route, the function log the cause (same request id). Of a 503 no function logs anything: the account ran all the functions that it may at a time.',
      alarmTopic,
    });
  }
}
