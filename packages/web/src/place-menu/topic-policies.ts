import { foldTopic, type ChatState } from '@parley/client'

/** The policies of a user for a topic, as the API numbers them. */
export const topicPolicies = { inherited: 0, muted: 1, unmuted: 2, followed: 3 } as const

export type TopicPolicy = (typeof topicPolicies)[keyof typeof topicPolicies]

export function topicPolicyOf(channelId: number, topic: string, state: ChatState): number {
  return state.topicPolicies.get(channelId)?.get(foldTopic(topic)) ?? topicPolicies.inherited
}
