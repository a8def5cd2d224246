// A program as an integrator writes it over a generated client. try-clients.ts runs it in the module of the client.
package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log"
	"os"

	mostrador "example.com/mostrador"
)

func check(holds bool, what string, err error) {
	if !holds {
		log.Fatalf("%s: %v", what, err)
	}
}

func once() string {
	bytes := make([]byte, 16)
	_, _ = rand.Read(bytes)
	return hex.EncodeToString(bytes)
}

func main() {
	config := mostrador.NewConfiguration()
	config.Servers = mostrador.ServerConfigurations{{URL: os.Args[1]}}
	client := mostrador.NewAPIClient(config)
	ctx := context.WithValue(context.Background(), mostrador.ContextAccessToken, os.Args[2])

	products, _, err := client.ProductosAPI.ListProducts(ctx).Limit(5).Execute()
	check(err == nil && len(products.Data) == 5, "the demo shop has no five products", err)

	customer, _, err := client.ClientesAPI.CreateCustomer(ctx).IdempotencyKey(once()).
		WishCustomer(*mostrador.NewWishCustomer("Ana")).Execute()
	check(err == nil && customer.PersonType == "person" && customer.GetVersion() == 1, "the customer is not as it was made", err)
	_, answer, err := client.ClientesAPI.CreateCustomer(ctx).IdempotencyKey(once()).
		WishCustomer(*mostrador.NewWishCustomer(" ")).Execute()
	check(err != nil && answer.StatusCode == 400, "a name of spaces was taken", err)

	product, _, err := client.ProductosAPI.CreateProduct(ctx).IdempotencyKey(once()).
		WishProduct(*mostrador.NewWishProduct("Pan", 1000)).Execute()
	check(err == nil, "the product was not made", err)
	line := mostrador.NewNewOrderItemsInner(2)
	line.SetProductId(product.Id)
	order, _, err := client.PedidosAPI.CreateOrder(ctx).IdempotencyKey(once()).
		WishOrder(*mostrador.NewWishOrder([]mostrador.NewOrderItemsInner{*line})).Execute()
	check(err == nil && order.Status == "placed" && order.Items[0].Quantity == 2, "the order is not as it was made", err)

	events, _, err := client.EventosAPI.ListEvents(ctx).Type_("customer.created").Limit(1).Execute()
	check(err == nil && len(events.Data) == 1 && events.Data[0].CustomerEvent != nil &&
		events.Data[0].CustomerEvent.Data.Object.Id == customer.Id, "the last event is of another customer", err)
}
