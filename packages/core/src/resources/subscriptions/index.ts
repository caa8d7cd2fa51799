export { SubscriptionRepository, type SubscriptionRow } from './subscription-repository.js'
