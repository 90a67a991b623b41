import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** When an alarm rings. `service-alarms.ts` says where each alarm stands. */
type Bound =
  /** From this value on. No traffic is no data, and no reason to ring. */
  | { readonly threshold: number }
  /** Below this value, and without any: of what should always be there. */
  | { readonly minimum: number };

export type ServiceAlarmProps = Bound & {
  readonly metric: IMetric;
  /** What it means for senders and recipients, and the first thing to do: the alarm's description. */
  readonly impact: string;
  readonly alarmTopic: ITopic;
};

/** The only way this stack makes an alarm: none without its impact, none that nobody hears. */
export class ServiceAlarm extends Alarm {
  constructor(scope: Construct, id: string, props: ServiceAlarmProps) {
    super(scope, id, {
      metric: props.metric,
      alarmDescription: props.impact,
      evaluationPeriods: 1,
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
