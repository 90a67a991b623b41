import type { ComponentChildren } from 'preact';
import type { Route } from '../../../api.ts';
import { may } from '../shared/may.ts';

/** What leads to a request, for those who may make it. */
export const May = ({ ask, children }: { ask: Route; children: ComponentChildren }) =>
  may(ask) ? children : null;
