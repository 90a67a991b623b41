import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

type Bound =
  /** Rings at this value and above. No traffic means no data, and no alarm. */
  | { readonly threshold: number }
  /** Rings below this value or without data: for things that should always happen. */
  | { readonly minimum: number };

/** Sections of `infra/RUNBOOK.md`. */
export type RunbookSection =
  | 'SES reviews or pauses the account'
  | 'The SES quota runs out'
  | 'One organization takes too much'
  | 'Requests fail'
  | 'Strangers flood the API'
  | "SES's events are late"
  | 'Emails go out late'
  | 'A receiver of webhooks is down'
  | 'Dead letters'
  | 'Work in the background fails'
  | 'A deployment is rolled back';

type ServiceAlarmProps = Bound & {
  readonly metric: IMetric;
  /** How many periods in a row must breach before it rings. Default: one. */
  readonly periods?: number;
  /** What is wrong and for whom, what it means for users, and the first thing to do. */
  readonly impact: string;
  readonly runbook: RunbookSection;
  readonly alarmTopic: ITopic;
};

/** Every alarm is one of these, so each states its impact and reports to the topic. */
export class ServiceAlarm extends Alarm {
  constructor(scope: Construct, id: string, props: ServiceAlarmProps) {
    super(scope, id, {
      metric: props.metric,
      alarmDescription: `${props.impact} See infra/RUNBOOK.md, "${props.runbook}".`,
      evaluationPeriods: props.periods ?? 1,
      ...comparisonWith(props),
    });
    this.addAlarmAction(new SnsAction(props.alarmTopic));
    this.addOkAction(new SnsAction(props.alarmTopic));
  }
}

const comparisonWith = (bound: Bound) =>
  'threshold' in bound
    ? {
        threshold: bound.threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }
    : {
        threshold: bound.minimum,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.BREACHING,
      };
