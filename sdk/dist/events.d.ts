import type { EventObjects, EventsFilters } from "./contract.ts";
import { type ExportOptions } from "./export.ts";
import { type List, type PageOptions } from "./list.ts";
import { type Send } from "./send.ts";
export type EventType = Exclude<keyof EventObjects, "webhook.test">;
/** An event of the log. Checking `type` narrows the type of `data.object`. */
export type MostradorEvent = {
    [Type in EventType]: {
        object: "event";
        id: string;
        type: Type;
        created_at: string;
        /** The event's place among those of the account. Events from before it existed have none. */
        sequence?: number;
        data: {
            object: EventObjects[Type];
        };
    };
}[EventType];
export type EventFilters = Omit<EventsFilters, "type"> & {
    type?: EventType | EventType[] | undefined;
};
export interface FollowOptions {
    /** Only these types. */
    type?: EventType | EventType[] | undefined;
    /** The `cursor` of the last page you processed. Without it, following starts at `createdSince`, or at the start of the log. */
    cursor?: string | undefined;
    createdSince?: string | Date | undefined;
    /** How long to wait at the end of the log before the next request; 1 s by default. */
    everyMs?: number;
    /** Ends where the log ends instead of waiting for more, with nothing new without a page: for a task that runs now and then. */
    untilEnd?: boolean;
    /** Ends the waiting, and the request under way, with its reason. */
    signal?: AbortSignal | undefined;
}
export interface FollowedPage {
    events: MostradorEvent[];
    /** Save it after processing these events, and none will be lost or repeated. */
    cursor: string | null;
    /** Whether the log ended behind these events when they were read. */
    caughtUp: boolean;
}
export interface Events {
    get(id: string): Promise<MostradorEvent>;
    list(filters?: EventFilters & PageOptions): List<MostradorEvent>;
    export(filters?: EventFilters & ExportOptions): AsyncIterable<MostradorEvent>;
    /** Iterates over the log, oldest first, and then waits for new events, without end unless `untilEnd` or `signal` says so. */
    follow(options?: FollowOptions): AsyncIterable<FollowedPage>;
}
export declare function events(send: Send): Events;
