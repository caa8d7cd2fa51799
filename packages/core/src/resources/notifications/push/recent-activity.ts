import type { InjectionToken } from 'tsyringe'

/** Knows when users were active according to reports that are not in the database yet. */
export interface RecentActivity {
  /** UNIX seconds; null without such a report. */
  activeAtSeconds(organizationId: number, userId: number): number | null
}

export const RecentActivityToken: InjectionToken<RecentActivity> = Symbol('RecentActivity')
