import type { TimelineStore } from '#shared/sends/timeline-store';
import { unexpected } from './unexpected.ts';

/** A store of timelines. What is not overridden throws. */
export const fakeTimelineStore = (overrides: Partial<TimelineStore> = {}): TimelineStore => ({
  read: unexpected('timelines.read'),
  getWithOrganization: unexpected('timelines.getWithOrganization'),
  getSend: unexpected('timelines.getSend'),
  ...overrides,
});
