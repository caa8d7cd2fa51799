// Compiles the templates in the browser. `ng build` does it before, and needs no `unsafe-eval`.
import '@angular/compiler'
import {
  Component,
  computed,
  CUSTOM_ELEMENTS_SCHEMA,
  provideZonelessChangeDetection,
  signal,
} from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import '@parley/web'
import type { ChosenMessageAction } from '@parley/web'

import { listOrders, messageActions, noteOf, placeOrder, type Order } from './shop.js'

@Component({
  selector: '#shop',
  // Lets the template use elements that are not Angular's.
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <h1>The Shop</h1>
    <p role="status">
      @if (isSignedOut()) {
        <a href="/login">Log in</a>
      } @else {
        Unread: {{ unread() }}
      }
    </p>
    <button (click)="order('tea', 1)">Order tea</button>
    <ul>
      @for (order of orders(); track order.id) {
        <li>
          <button [attr.aria-current]="order.id === shown()?.id" (click)="chosenId.set(order.id)">
            Order {{ order.id }}: {{ order.quantity }} × {{ order.item }}
          </button>
        </li>
      }
    </ul>
    @if (shown(); as shown) {
      <parley-chat
        url="/chat"
        [attr.channel]="shown.channel_id"
        topic="order"
        [messageActions]="messageActions"
        (parley-unread)="unread.set($event.detail)"
        (parley-action)="note($event)"
        (parley-signed-out)="isSignedOut.set(true)"
      >
        <button slot="header" (click)="order(shown.item, shown.quantity)">Order again</button>
      </parley-chat>
    }
    <ol>
      @for (note of notes(); track $index) {
        <li>{{ note }}</li>
      }
    </ol>
  `,
})
class Shop {
  readonly messageActions = messageActions
  readonly orders = signal<readonly Order[]>([])
  readonly chosenId = signal<number | undefined>(undefined)
  readonly unread = signal(0)
  readonly notes = signal<readonly string[]>([])
  readonly isSignedOut = signal(false)
  readonly shown = computed(
    () => this.orders().find(({ id }) => id === this.chosenId()) ?? this.orders()[0],
  )

  constructor() {
    void this.load()
  }

  async load(): Promise<void> {
    this.orders.set(await listOrders())
  }

  async order(item: string, quantity: number): Promise<void> {
    await placeOrder(item, quantity)
    this.chosenId.set(undefined)
    await this.load()
  }

  note({ detail }: CustomEvent<ChosenMessageAction>): void {
    this.notes.update((notes) => [...notes, noteOf(detail)])
  }
}

await bootstrapApplication(Shop, { providers: [provideZonelessChangeDetection()] })
